/** Installing from a vendor's releases, against a server that behaves and one that does not. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { problemOf } from "../../test/problem.ts";
import { program, putClaude, type Releases, sha256, startReleases } from "../../test/releases.ts";
import { temporaryFolder, toolFolder } from "../../test/temporary.ts";
import { createInstaller } from "./create-installer.ts";
import type { InstallProgress } from "./installer.ts";
import { manifest } from "./manifest.ts";
import type { Platform } from "./platform.ts";

const platform: Platform = { os: "linux", arch: "x64", libc: "glibc" };
const unverified = { SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS: "1" };
const asset = (version: string) => `${version}/linux-x64/claude`;

async function arrange(variables: Record<string, string> = {}) {
  const releases = await startReleases();
  const directory = temporaryFolder();
  const env = {
    PATH: toolFolder(),
    SANDBOX_AGENT_INSTALL_SOURCE: "vendor",
    SANDBOX_AGENT_CLAUDE_RELEASES_URL: `${releases.url}/`,
    SANDBOX_AGENT_CODEX_RELEASES_URL: releases.url,
    SANDBOX_AGENT_OPENCODE_RELEASES_URL: releases.url,
    SANDBOX_AGENT_AMP_RELEASES_URL: releases.url,
    ...variables,
  };
  const progress: InstallProgress[] = [];
  const installer = createInstaller({ directory, env, platform });
  installer.onProgress((entry) => progress.push(entry));
  const hidden = (agent: string) => readdirSync(join(directory, agent)).filter((name) => name.startsWith("."));
  return { releases, directory, env, installer, progress, hidden };
}

/** A package of codex as the vendor packs it. */
function codexArchive(version: string): Uint8Array {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "codex"), `#!/bin/sh\necho "codex-cli ${version}"\n`, { mode: 0o755 });
  writeFileSync(join(folder, "bin", "codex-code-mode-host"), "beside it");
  const { stdout } = Bun.spawnSync(["tar", "-cz", "-C", folder, "bin"]);
  return stdout;
}

function putCodex(releases: Releases, version: string): void {
  const name = "codex-package-x86_64-unknown-linux-musl.tar.gz";
  const archive = codexArchive(version);
  releases.put(`download/rust-v${version}/${name}`, archive);
  releases.put(`download/rust-v${version}/codex-package_SHA256SUMS`, `${sha256(archive)}  ${name}\n`);
}

describe("from a vendor that behaves", () => {
  test("the newest version is found under the vendor's own name for it", async () => {
    const { releases, installer } = await arrange(unverified);
    releases.put("cli-version.txt", "0.0.1790142911-g7618fb\n");
    releases.put("0.0.1790142911-g7618fb/amp-linux-x64", "#!/bin/sh\necho 0.0.1790142911-g7618fb\n");
    const { version } = await installer.install("amp", { version: "latest" });
    expect(version).toBe("0.0.1790142911-g7618fb");
  });

  test("a program is installed and found, with progress", async () => {
    const { releases, directory, installer, progress } = await arrange();
    const content = `${program("2.1.197")}#${"x".repeat(3_000_000)}`;
    putClaude(releases, "2.1.197", content);
    const path = join(directory, "claude", "2.1.197", "claude");
    const installed = { agent: "claude", version: "2.1.197", path, command: [path] };
    expect(await installer.install("claude")).toEqual(installed);
    expect(await installer.find("claude")).toEqual(installed);
    expect(readFileSync(path, "utf8") === content).toBe(true);
    expect([...new Set(progress.map(({ phase }) => phase))]).toEqual(["resolving", "downloading", "unpacking", "done"]);
    expect(progress.filter(({ phase }) => phase === "downloading").at(-1)?.fraction).toBe(1);
  });

  test("an archive is unpacked whole", async () => {
    const { releases, directory, installer } = await arrange();
    putCodex(releases, "0.166.0");
    const { path } = await installer.install("codex");
    expect(path).toBe(join(directory, "codex", "0.166.0", "bin", "codex"));
    expect(readdirSync(join(directory, "codex", "0.166.0", "bin"))).toContain("codex-code-mode-host");
  });

  test.each([{}, unverified])(
    "an archive without a published checksum is taken if that is allowed: %j",
    async (env) => {
      const { releases, installer, directory } = await arrange(env);
      const folder = temporaryFolder();
      writeFileSync(join(folder, "opencode"), "#!/bin/sh\necho 1.18.33\n", { mode: 0o755 });
      const { stdout } = Bun.spawnSync(["tar", "-cz", "-C", folder, "opencode"]);
      releases.put("download/v1.18.33/opencode-linux-x64.tar.gz", stdout);
      if (env === unverified) {
        expect(await installer.install("opencode")).toMatchObject({ version: "1.18.33" });
        return;
      }
      const problem = await problemOf(installer.install("opencode"));
      expect(problem).toMatchObject({ kind: "install_failed", context: { details: { unverified: true } } });
      expect(problem.message).toMatch(/no checksum for .*opencode-linux-x64\.tar\.gz.*--allow-unverified-downloads/);
      expect(problem.message).toContain("SANDBOX_AGENT_OPENCODE_PATH");
      expect(releases.requests).toEqual([]);
      expect(readdirSync(join(directory, "opencode"))).toEqual(["lock"]);
    },
  );

  test("`latest` is read from the vendor, as text or from a redirect", async () => {
    const { releases, installer } = await arrange();
    releases.put("latest", "2.9.1\n");
    putClaude(releases, "2.9.1");
    expect(await installer.install("claude", { version: "latest" })).toMatchObject({ version: "2.9.1" });

    const location = `${releases.url}/tag/rust-v0.170.0`;
    releases.answer("latest", (response) => response.writeHead(302, { location }).end());
    putCodex(releases, "0.170.0");
    expect(await installer.install("codex", { version: "latest" })).toMatchObject({ version: "0.170.0" });
  });
});

describe("versions", () => {
  test("are kept side by side; the last one installed is in use", async () => {
    const { releases, installer } = await arrange();
    putClaude(releases, "1.0.0");
    putClaude(releases, "2.0.0");
    await installer.install("claude", { version: "1.0.0" });
    await installer.install("claude", { version: "2.0.0" });
    expect(await installer.find("claude")).toMatchObject({ version: "2.0.0" });
    expect(await installer.find("claude", "1.0.0")).toMatchObject({ version: "1.0.0" });

    const before = releases.requests.length;
    await installer.install("claude", { version: "1.0.0" });
    expect(await installer.find("claude")).toMatchObject({ version: "1.0.0" });
    expect(releases.requests.length).toBe(before);
  });

  test("of a session do not change the one in use", async () => {
    const { releases, installer } = await arrange();
    putClaude(releases, "2.1.197");
    putClaude(releases, "3.0.0");
    await installer.require("claude");
    expect(await installer.require("claude", "3.0.0")).toMatchObject({ version: "3.0.0" });
    expect(await installer.find("claude")).toMatchObject({ version: "2.1.197" });
  });

  test("that are installed are not downloaded again, unless reinstalled", async () => {
    const { releases, installer, hidden } = await arrange();
    putClaude(releases, "2.1.197");
    const fetched = () => releases.requests.filter((path) => path === asset("2.1.197")).length;
    await installer.install("claude");
    await installer.install("claude");
    expect(fetched()).toBe(1);
    await installer.install("claude", { reinstall: true });
    expect(fetched()).toBe(2);
    expect(hidden("claude")).toHaveLength(1);
  });

  test("must be versions, and lead nowhere else", async () => {
    const { directory, installer, releases } = await arrange();
    for (const version of ["../x", "^1.0.0", "next", "", "1/2"])
      expect(await problemOf(installer.install("claude", { version }))).toMatchObject({ kind: "invalid_request" });
    expect(releases.requests).toEqual([]);
    writeFileSync(join(directory, "claude"), program("1.0.0"), { mode: 0o755 });
    expect(await installer.find("claude", "..")).toBeNull();
  });
});

describe("parallel callers", () => {
  test("share one installation", async () => {
    const { releases, installer } = await arrange();
    putClaude(releases, "2.1.197");
    const calls = Array.from({ length: 10 }, () => installer.require("claude"));
    expect(new Set((await Promise.all(calls)).map(({ path }) => path)).size).toBe(1);
    expect(releases.requests).toEqual(["2.1.197/manifest.json", asset("2.1.197")]);
  });

  test("all get its failure, and the next one tries again", async () => {
    const { releases, installer } = await arrange();
    const calls = await Promise.allSettled([installer.install("claude"), installer.install("claude")]);
    expect(calls.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    putClaude(releases, "2.1.197");
    expect(await installer.install("claude")).toMatchObject({ version: "2.1.197" });
  });
});

describe("a failure names its cause, keeps the old version and leaves nothing behind:", () => {
  const faults: [string, (releases: Releases) => void, RegExp][] = [
    [
      "a wrong checksum",
      (releases) => putClaude(releases, "2.1.197", undefined, "0".repeat(64)),
      /checksum of .* does not match/,
    ],
    [
      "no checksum",
      (releases) => releases.put("2.1.197/manifest.json", JSON.stringify({ platforms: {} })),
      /no checksum of 2\.1\.197\/linux-x64\/claude/,
    ],
    ["an unknown version", () => {}, /manifest\.json answers 404/],
    [
      "a connection that is cut",
      (releases) => {
        putClaude(releases, "2.1.197");
        releases.answer(asset("2.1.197"), (response) => {
          response.writeHead(200, { "Content-Length": 1_000_000 });
          response.write("x".repeat(1000), () => response.socket?.destroy());
        });
      },
      /2\.1\.197\/linux-x64\/claude (was cut off|cannot be downloaded)/,
    ],
    [
      "a program that exits at once",
      (releases) => putClaude(releases, "2.1.197", "#!/bin/sh\necho no such CPU >&2\nexit 3\n"),
      /does not work here: it exited with code 3 \(no such CPU\)/,
    ],
    ["a program that is none", (releases) => putClaude(releases, "2.1.197", "garbage"), /does not work here/],
    ["another version", (releases) => putClaude(releases, "2.1.197", program("9.9.9")), /it reports version 9\.9\.9/],
  ];

  test.each(faults)("%s", async (_, arrangeFault, reason) => {
    const { releases, installer, progress, hidden } = await arrange();
    putClaude(releases, "1.0.0");
    await installer.install("claude", { version: "1.0.0" });
    arrangeFault(releases);
    const problem = await problemOf(installer.install("claude", { version: "2.1.197" }));
    expect(problem.message).toMatch(reason);
    expect(problem).toMatchObject({ kind: "install_failed", context: { agent: "claude" } });
    expect(problem.context.details?.stderr).not.toBe("");
    expect(progress.at(-1)).toMatchObject({ phase: "failed", message: problem.message });
    expect(await installer.find("claude")).toMatchObject({ version: "1.0.0" });
    expect(hidden("claude")).toHaveLength(1);
  });

  const elsewhere = "http://releases.example.com/claude";

  test.each<[string, Partial<Record<string, string>>, RegExp]>([
    ["plain http", { SANDBOX_AGENT_CLAUDE_RELEASES_URL: elsewhere }, /is not encrypted.*--allow-unverified-downloads/],
    ["a file", { SANDBOX_AGENT_CLAUDE_RELEASES_URL: "file:///etc" }, /file:\/\/\/etc.* is not an https address/],
    ["data", { SANDBOX_AGENT_CLAUDE_RELEASES_URL: "data:text/plain,x" }, /is not an https address/],
  ])("an insecure address: %s", async (_, variables, reason) => {
    const { directory, env } = await arrange();
    const installer = createInstaller({ directory, env: { ...env, ...variables }, platform });
    expect((await problemOf(installer.install("claude"))).message).toMatch(reason);
  });

  test.each([
    ["http://releases.example.com/claude", /is not encrypted/],
    ["file:///etc/passwd", /is not an https address/],
  ])("a redirect to %s", async (location, reason) => {
    const { releases, installer, hidden } = await arrange();
    putClaude(releases, "2.1.197");
    releases.answer(asset("2.1.197"), (response) => response.writeHead(302, { location }).end());
    expect((await problemOf(installer.install("claude"))).message).toMatch(reason);
    expect(hidden("claude")).toEqual([]);
  });

  test("a redirect that never ends", async () => {
    const { releases, installer } = await arrange();
    putClaude(releases, "2.1.197");
    const location = `${releases.url}/${asset("2.1.197")}`;
    releases.answer(asset("2.1.197"), (response) => response.writeHead(302, { location }).end());
    expect((await problemOf(installer.install("claude"))).message).toMatch(/redirects more than 10 times/);
  });

  test("a program that is a link out of the archive", async () => {
    const { releases, installer } = await arrange(unverified);
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), "victim");
    writeFileSync(victim, "#!/bin/sh\necho 1.18.33\n", { mode: 0o600 });
    symlinkSync(victim, join(folder, "opencode"));
    const { stdout } = Bun.spawnSync(["tar", "-cz", "-C", folder, "opencode"]);
    releases.put("download/v1.18.33/opencode-linux-x64.tar.gz", stdout);
    expect((await problemOf(installer.install("opencode"))).message).toMatch(/is a link to a path outside/);
    expect(statSync(victim).mode & 0o777).toBe(0o600);
  });

  test("an unreachable server", async () => {
    const { directory, env } = await arrange();
    const installer = createInstaller({
      directory,
      env: { ...env, SANDBOX_AGENT_CLAUDE_RELEASES_URL: "http://127.0.0.1:1" },
      platform,
    });
    const { message } = await problemOf(installer.install("claude"));
    expect(message).toMatch(/http:\/\/127\.0\.0\.1:1\/2\.1\.197\/manifest\.json cannot be downloaded/);
    expect(message).toContain("SANDBOX_AGENT_CLAUDE_RELEASES_URL");
  });

  test("a file that is not an archive", async () => {
    const { releases, installer } = await arrange(unverified);
    releases.put("download/v1.18.33/opencode-linux-x64.tar.gz", "garbage");
    expect((await problemOf(installer.install("opencode"))).message).toMatch(/cannot be unpacked: tar exited/);
  });

  test("a file in place of the directory", async () => {
    const { directory, env } = await arrange();
    writeFileSync(join(directory, "file"), "");
    const installer = createInstaller({ directory: join(directory, "file"), env, platform });
    expect((await problemOf(installer.install("claude"))).message).toMatch(/there is a file in place of the directory/);
  });

  test("a system without builds, and an agent without a recipe", async () => {
    const { directory, env } = await arrange();
    const installer = createInstaller({ directory, env, platform: null, manifest });
    expect(await problemOf(installer.install("claude"))).toMatchObject({ kind: "install_failed" });
    expect(await problemOf(installer.install("nobody"))).toMatchObject({ kind: "unsupported_agent" });
    expect(await installer.find("nobody")).toBeNull();
  });
});
