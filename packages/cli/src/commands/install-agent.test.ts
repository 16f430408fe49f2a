import { createHash } from "node:crypto";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cli, launcher, temporaryDirectory } from "../../test/cli-process.ts";

/** A vendor's releases: every version of claude is a program that prints its version. */
const releases = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const [, version = "", file] = new URL(request.url).pathname.split("/");
    if (version === "404.0.0") return new Response("no such release", { status: 404 });
    const program = `#!/bin/sh\necho "${version} (Claude Code)"\n`;
    if (file !== "manifest.json") return new Response(program);
    const checksum = createHash("sha256").update(program).digest("hex");
    const platforms = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-x64", "darwin-arm64"];
    return Response.json({ platforms: Object.fromEntries(platforms.map((name) => [name, { checksum }])) });
  },
});
afterAll(() => releases.stop(true));

const env = {
  SANDBOX_AGENT_INSTALL_SOURCE: "vendor",
  SANDBOX_AGENT_CLAUDE_RELEASES_URL: releases.url.origin,
  SANDBOX_AGENT_CODEX_RELEASES_URL: "http://127.0.0.1:1",
  SANDBOX_AGENT_OPENCODE_RELEASES_URL: "http://127.0.0.1:1",
  SANDBOX_AGENT_AMP_RELEASES_URL: "http://127.0.0.1:1",
  SANDBOX_AGENT_CURSOR_RELEASES_URL: "http://127.0.0.1:1",
  // No agent that happens to be installed on this machine.
  PATH: "/nonexistent",
};

function install(dataDir: string, args: string[], variables: Record<string, string> = {}) {
  return cli(["install-agent", ...args, "--data-dir", dataDir], { env: { ...env, ...variables } });
}

describe("install-agent", () => {
  test("installs without a daemon, with progress, and only once", async () => {
    const dataDir = temporaryDirectory();
    const path = join(dataDir, "bin", "claude", "2.1.197", "claude");
    const stdout = `claude 2.1.197 is installed: ${path}\n`;
    const first = await install(dataDir, ["claude"]);
    expect(first).toMatchObject({ code: 0, stdout });
    expect(first.stderr).toMatch(/^claude: resolving: .*\nclaude: downloading: .*\nclaude: unpacking: .*\n$/);
    expect(existsSync(path)).toBe(true);
    expect(await install(dataDir, ["claude"])).toMatchObject({ code: 0, stdout, stderr: "" });
    expect((await install(dataDir, ["claude", "--reinstall"])).stderr).toContain("downloading");
  });

  test("installs another version beside it", async () => {
    const dataDir = temporaryDirectory();
    await install(dataDir, ["claude"]);
    expect((await install(dataDir, ["claude", "--agent-version", "2.9.0"])).stdout).toMatch(/^claude 2\.9\.0 /);
    expect((await install(dataDir, ["claude"])).stdout).toMatch(/^claude 2\.9\.0 /);
  });

  test("uses the data directory of the user by default", async () => {
    const home = temporaryDirectory();
    const { stdout } = await cli(["install-agent", "claude"], { env: { ...env, XDG_DATA_HOME: home } });
    expect(stdout).toContain(join(home, "sandbox-agent", "bin", "claude"));
  });

  test("uses a program on PATH", async () => {
    const folder = temporaryDirectory();
    const program = join(folder, "opencode");
    writeFileSync(program, "#!/bin/sh\necho 1.0.0\n");
    chmodSync(program, 0o755);
    const { code, stdout } = await install(temporaryDirectory(), ["opencode"], { PATH: folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `opencode 1.0.0 is installed: ${program}\n` });
  });

  test("fails with the problem", async () => {
    const { code, stdout, stderr } = await install(temporaryDirectory(), ["claude", "-A", "404.0.0"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(stderr.slice(stderr.indexOf("{")))).toMatchObject({
      type: "urn:sandbox-agent:error:install_failed",
      agent: "claude",
      detail: expect.stringContaining("answers 404"),
    });
  });

  test("--all installs agents, skips those without a checksum, and fails for the rest", async () => {
    const { code, stdout, stderr } = await install(temporaryDirectory(), ["--all"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^claude 2\.1\.197 is installed: .*\n$/);
    expect(stderr).toMatch(/no checksum: opencode, cursor, amp; use --allow-unverified-downloads/);
    expect(stderr).toMatch(/not installed: codex, pi\n$/);
  });

  test.each<[string[], Record<string, string>, boolean]>([
    [[], {}, false],
    [["--allow-unverified-downloads"], {}, true],
    [[], { SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS: "1" }, true],
  ])("an agent without a checksum is downloaded only if that is allowed: %j %j", async (args, variables, isFetched) => {
    const { code, stderr } = await install(temporaryDirectory(), ["cursor", ...args], variables);
    expect(code).toBe(1);
    expect(stderr.includes("there is no checksum for")).toBe(!isFetched);
    expect(stderr.includes("cannot be downloaded")).toBe(isFetched);
  });

  test.each<[string[], RegExp]>([
    [[], /an agent or --all is required/],
    [["claude", "--all"], /cannot be combined with --all/],
    [["--all", "-A", "1.0.0"], /must be latest with --all/],
  ])("%j is a usage error", async (args, reason) => {
    const ended = await install(temporaryDirectory(), args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(reason);
  });

  test("lists known agents for an unknown one", async () => {
    const { code, stderr } = await install(temporaryDirectory(), ["nobody"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nobody cannot be installed; available agents: claude, codex, opencode/);
  });

  test("draws a bar in a terminal", async () => {
    let screen = "";
    const child = Bun.spawn([launcher, "install-agent", "claude", "-r", "--data-dir", temporaryDirectory()], {
      env: { ...process.env, ...env, PATH: process.env.PATH },
      terminal: { cols: 200, data: (_, bytes) => (screen += new TextDecoder().decode(bytes)) },
    });
    expect(await child.exited).toBe(0);
    expect(screen).toMatch(/claude {2}downloading {2}\[[#-]{30}\] +\d+%/);
    expect(screen).toContain("claude 2.1.197 is installed");
  });
});
