/** A token that a server was given cannot be read by what it starts: not from /proc, not from its environment or descriptors. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RunOptions, startCli, startProcess, temporaryDirectory } from "../../packages/cli/test/cli-process.ts";
import { TestClient } from "../harness/client.ts";

const given = "a-token-that-was-given";
const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const onLinux = describe.runIf(process.platform === "linux");

async function serve(before: string[], after: string[], { env = {}, input }: RunOptions = {}) {
  const options = { env: { XDG_DATA_HOME: temporaryDirectory(), ...env }, ...(input !== undefined && { input }) };
  const running = startCli([...before, "server", "--port", "0", "--ephemeral", ...after], options);
  onTestFinished(() => void running.child.kill("SIGKILL"));
  const [, url = ""] = await running.output(/listening on (\S+)\n/);
  return { ...running, url, pid: Number(running.child.pid), client: new TestClient(url, given) };
}

async function shell(
  client: TestClient,
  script: string,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { status, json, text } = await client.post("/v1/processes/run", { command: "sh", args: ["-c", script] });
  expect(status, text).toBe(200);
  return json;
}

const ways: [string, string[], string[], RunOptions][] = [
  ["by environment", [], [], { env: { SANDBOX_AGENT_TOKEN: given } }],
  ["after --token", [], ["--token", given], {}],
  ["after --token=", [], [`--token=${given}`], {}],
  ["after -t", [], ["-t", given], {}],
  ["behind another flag", [], ["-Ct", given], {}],
  ["before the command", ["--token", given], [], {}],
  ["more than once", ["-t", "another"], [`-t${given}`], { env: { SANDBOX_AGENT_TOKEN: "a-third-token-altogether" } }],
  ["on standard input", [], ["--token-fd", "0"], { input: `${given}\n` }],
];

onLinux("a token that was given", () => {
  test.each(ways)("%s is in no place that others can read", async (_, before, after, options) => {
    const { client, pid } = await serve(before, after, options);
    expect((await client.get("/v1/sessions")).status).toBe(200);
    expect((await new TestClient(client.url).get("/v1/sessions")).status).toBe(401);
    for (const place of ["environ", "cmdline"])
      expect(readFileSync(`/proc/${pid}/${place}`, "utf8")).not.toMatch(/a-token|a-third|another|SANDBOX_AGENT_TOKEN/);

    // Counted there, since the daemon would redact the token in what it answers.
    const everything = "{ env; cat /proc/$PPID/environ /proc/$PPID/cmdline; } | tr '\\0' '\\n'";
    const { stdout } = await shell(
      client,
      `${everything} | grep -cE 'a-token|a-third|SANDBOX_AGENT_TOKEN'; echo fds: $(ls /proc/self/fd)`,
    );
    // The fourth is the directory that is listed.
    expect(stdout).toBe("0\nfds: 0 1 2 3\n");
  });

  test("and a variable that --no-token overrides", async () => {
    const { url, pid } = await serve([], ["--no-token"], { env: { SANDBOX_AGENT_TOKEN: given } });
    expect((await new TestClient(url).get("/v1/sessions")).status).toBe(200);
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain(given);
  });

  test("leaves standard input as it was: the server still ends with its parent", async () => {
    // Standard input of these processes is closed from the start.
    const { ended } = await serve([], ["--exit-with-parent"], { env: { SANDBOX_AGENT_TOKEN: given } });
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
});

onLinux("processes of the same user, who is not root", () => {
  test("cannot read memory, environment and files of the daemon, which works as ever", async (context) => {
    const user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const isPossible = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
    if (!isPossible || Bun.spawnSync([...user, "test", "-r", main, "-a", "-x", process.execPath]).exitCode !== 0)
      return context.skip("needs root, setpriv, and a checkout that others can read");
    const data = temporaryDirectory();
    chmodSync(data, 0o777);
    const server = [
      process.execPath,
      main,
      "server",
      "--port",
      "0",
      "--fs-root",
      data,
      "--data-dir",
      join(data, "data"),
    ];
    const env = { SANDBOX_AGENT_TOKEN: given, XDG_DATA_HOME: join(data, "home"), HOME: data };
    const { child, output } = startProcess([...user, ...server], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [, url = ""] = await output(/listening on (\S+)\n/);
    const client = new TestClient(url, given);

    for (const place of ["environ", "maps", "mem", "fd/0"]) {
      const { exitCode, stderr } = await shell(client, `head -c 1 /proc/$PPID/${place}`);
      expect({ place, exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("ermission denied"),
      });
    }
    // Its own it can read, and leftovers are still found by their marks.
    expect((await shell(client, "cat /proc/self/environ")).stdout).toContain("SANDBOX_AGENT_OWNER");

    const file = `${url}/v1/fs/file?path=${encodeURIComponent(join(data, "a.txt"))}`;
    const headers = { authorization: `Bearer ${given}` };
    expect((await fetch(file, { method: "PUT", headers, body: "hello" })).status).toBe(200);
    expect(await (await fetch(file, { headers })).text()).toBe("hello");
    await client.create("s", { agent: "mock", directory: data });
    expect((await client.stream("s", "hello")).at(-1)?.type).toBe("turn.ended");
    expect(existsSync(join(data, "data", "token"))).toBe(false);
  });
});
