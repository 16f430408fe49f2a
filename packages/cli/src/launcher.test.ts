import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { launcher, startProcess, temporaryDirectory } from "../test/cli-process.ts";

function launch(args: string[], env?: Record<string, string>) {
  return startProcess([launcher, ...args], { env });
}

describe("the launcher", () => {
  test("passes arguments, output and exit code through", async () => {
    expect(await launch(["--version"]).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d/),
      stderr: "",
    });
    expect(await launch(["bogus"]).ended).toMatchObject({ code: 2, stdout: "" });
  });

  test("replaces itself by the program, so that killing it kills the daemon", async () => {
    const { child, output } = launch(["server", "--port", "0", "--data-dir", temporaryDirectory()]);
    const [, url = ""] = await output(/listening on (\S+)/);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
  });

  test("works through the symlink of npm", async () => {
    const link = join(temporaryDirectory(), "sandbox-agent");
    symlinkSync(launcher, link);
    expect(await startProcess([link, "--version"]).ended).toMatchObject({ code: 0, stderr: "" });
  });

  test.each<NodeJS.Signals>(["SIGTERM", "SIGINT", "SIGHUP"])("a server stops gracefully on %s", async (signal) => {
    const { child, output, ended } = launch(["server", "--port", "0", "--data-dir", temporaryDirectory()]);
    await output(/listening on/);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  test("ends with the signal of the program", async () => {
    const server = launch(["server", "--port", "0", "--no-token", "--data-dir", temporaryDirectory()]);
    const [, url = ""] = await server.output(/listening on (\S+)/);
    const follower = launch(["api", "events-sse", "--offset", "0"], { SANDBOX_AGENT_ENDPOINT: url });
    await fetch(`${url}/v1/sessions/s`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"agent":"mock"}',
    });
    await follower.output(/session\.started/);
    follower.child.kill("SIGINT");
    expect(await follower.ended).toMatchObject({ code: null, signal: "SIGINT" });
    server.child.kill("SIGTERM");
    await server.ended;
  });

  test("ignores configuration files in the working directory", async () => {
    const directory = temporaryDirectory();
    // A level that does not exist: the server would refuse to start.
    writeFileSync(join(directory, ".env"), "SANDBOX_AGENT_LOG=nonsense");
    writeFileSync(join(directory, "bunfig.toml"), 'preload = ["./preload.ts"]');
    writeFileSync(join(directory, "preload.ts"), 'console.log("loaded")');
    const server = `exec ${launcher} server --port 0 --data-dir ${temporaryDirectory()}`;
    const { child, output, ended } = startProcess([
      "sh",
      "-c",
      `unset SANDBOX_AGENT_LOG; cd ${directory} && ${server}`,
    ]);
    await output(/listening on/);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0, stdout: expect.not.stringContaining("loaded"), stderr: "" });
  });

  test("prints what to do if Bun is missing", async () => {
    const bin = join(temporaryDirectory(), "bin");
    mkdirSync(bin);
    copyFileSync(launcher, join(bin, "sandbox-agent"));
    const { code, stderr } = await startProcess([join(bin, "sandbox-agent")]).ended;
    expect(stderr).toContain("no Bun executable");
    expect(code).toBe(1);
  });

  test("finds Bun in the platform package if install scripts were disabled", async () => {
    const root = temporaryDirectory();
    for (const directory of ["bin", "src", "node_modules/bun/bin"])
      mkdirSync(join(root, directory), { recursive: true });
    copyFileSync(launcher, join(root, "bin/sandbox-agent"));
    writeFileSync(join(root, "src/main.ts"), 'console.log("on bun", Bun.version)');
    writeFileSync(join(root, "node_modules/bun/package.json"), '{"name":"bun"}');
    writeFileSync(join(root, "node_modules/bun/bin/bun.exe"), "placeholder");
    const platform = join(root, "node_modules/@oven/bun-linux-x64/bin");
    mkdirSync(platform, { recursive: true });
    symlinkSync(process.execPath, join(platform, "bun"));
    const { stdout, stderr } = await startProcess([join(root, "bin/sandbox-agent")]).ended;
    expect({ stdout, stderr }).toMatchObject({ stdout: `on bun ${Bun.version}\n`, stderr: "" });
  });
});
