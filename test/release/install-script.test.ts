/** install.sh with a release on a local server. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { writeChecksums } from "../../scripts/release/checksums.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { hostBinary } from "./executable.ts";

const script = join(import.meta.dirname, "../../install.sh");

let binary: string;
beforeAll(async () => {
  binary = await hostBinary();
}, 120_000);

beforeEach((context) => need(context, "curl"));

interface InstallOptions {
  /** Programs that come first on PATH, by name. */
  programs?: Record<string, string>;
  env?: Record<string, string>;
}

/** A release with one small executable for this machine, and an empty home. */
async function arrange(executable = "#!/bin/sh\necho 7.8.9\n") {
  const release = temporaryDirectory();
  const home = temporaryDirectory();
  const name = basename(binary);
  writeFileSync(join(release, name), executable);
  await writeChecksums(release);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const file = Bun.file(join(release, new URL(request.url).pathname));
      return (await file.exists()) ? new Response(file) : new Response("nothing here", { status: 404 });
    },
  });
  onTestFinished(() => server.stop(true));
  const url = server.url.href.replace(/\/$/, "");
  const directory = join(home, ".local/bin");

  async function install({ programs = {}, env = {} }: InstallOptions = {}) {
    const first = temporaryDirectory();
    for (const [program, text] of Object.entries(programs)) {
      writeFileSync(join(first, program), text);
      chmodSync(join(first, program), 0o755);
    }
    const child = Bun.spawn(["sh", script], {
      env: { HOME: home, PATH: `${first}:/usr/bin:/bin`, SANDBOX_AGENT_DOWNLOAD_URL: url, ...env },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, stdout, stderr };
  }
  return { release, home, directory, name, url, install };
}

describe("install.sh", () => {
  test("installs the executable for this machine, which then runs", { timeout: 60_000 }, async () => {
    const { release, directory, name, install } = await arrange();
    writeFileSync(join(release, name), new Uint8Array(readFileSync(binary)));
    await writeChecksums(release);
    const { code, stdout, stderr } = await install();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Installed sandbox-agent ${packageJson.version} in ${directory}`);
    expect(stdout).toContain("not on your PATH");
    expect(readdirSync(directory)).toEqual(["sandbox-agent"]);
    const run = Bun.spawnSync([join(directory, "sandbox-agent"), "--version"]);
    expect(run.stdout.toString().trim()).toBe(packageJson.version);
  });

  test("installs into INSTALL_DIR", async () => {
    const { home, install } = await arrange();
    const chosen = join(home, "a place with spaces");
    const { stdout } = await install({ env: { INSTALL_DIR: chosen, PATH: `/usr/bin:/bin:${chosen}` } });
    expect(stdout).toContain(`Installed sandbox-agent 7.8.9 in ${chosen}\n`);
    expect(stdout).not.toContain("PATH");
  });

  test("keeps the installed version if the checksum is wrong", async () => {
    const { release, directory, name, install } = await arrange();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "sandbox-agent"), "the old one");
    writeFileSync(join(release, name), "#!/bin/sh\necho not what was released\n");
    const { code, stderr } = await install();
    expect(code).toBe(1);
    expect(stderr).toMatch(/checksum of sandbox-agent-\S+ is wrong.*nothing was installed/);
    expect(readdirSync(directory)).toEqual(["sandbox-agent"]);
    expect(readFileSync(join(directory, "sandbox-agent"), "utf8")).toBe("the old one");
  });

  test("keeps the installed version if the new one does not run", async () => {
    const { directory, install } = await arrange("#!/bin/sh\necho no such library >&2; exit 127\n");
    const { code, stderr } = await install();
    expect(code).toBe(1);
    expect(stderr).toContain("does not run here: no such library");
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each([
    ["a system", { uname: '#!/bin/sh\n[ "$1" = -s ] && echo Plan9 || echo x86_64\n' }, "no build for Plan9"],
    [
      "a processor",
      { uname: '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo mips\n' },
      "no build for the processor mips",
    ],
    [
      "a platform the release lacks",
      { uname: '#!/bin/sh\n[ "$1" = -s ] && echo Darwin || echo arm64\n' },
      "the release has no build for darwin-arm64",
    ],
    [
      "a C library the release lacks",
      {
        ldd: "#!/bin/sh\necho musl libc >&2; exit 1\n",
        uname: '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo aarch64\n',
      },
      "the release has no build for linux-arm64-musl",
    ],
  ])("fails for %s without a build", async (_, programs, message) => {
    const { directory, install } = await arrange();
    const { code, stderr } = await install({ programs });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(existsSync(join(directory, "sandbox-agent"))).toBe(false);
  });

  test("reports which file could not be downloaded", async () => {
    const { url, install } = await arrange();
    const { code, stderr } = await install({ env: { SANDBOX_AGENT_DOWNLOAD_URL: `${url}/elsewhere` } });
    expect(code).toBe(1);
    expect(stderr).toContain(`${url}/elsewhere/SHA256SUMS could not be downloaded`);
  });

  test("fails without a download URL", async () => {
    const { install } = await arrange();
    const { code, stderr } = await install({ env: { SANDBOX_AGENT_DOWNLOAD_URL: "" } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("set SANDBOX_AGENT_DOWNLOAD_URL") });
  });

  test("fails when it cannot write to the directory", async () => {
    const { home, install } = await arrange();
    writeFileSync(join(home, "file"), "");
    const { code, stderr } = await install({ env: { INSTALL_DIR: join(home, "file/bin") } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("choose another one with INSTALL_DIR"),
    });
  });
});
