/** Processes from the command line: what is typed is what is asked for. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cli, type Server, startServer } from "../../test/cli-process.ts";

let server: Server;

beforeAll(async () => {
  server = await startServer(["--no-token"]);
});
afterAll(() => server.stop());

const run = (...args: string[]) => cli(args, { env: { SANDBOX_AGENT_ENDPOINT: server.url } });

async function json(...args: string[]) {
  const { stdout, stderr } = await run(...args);
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("a run passes the program's own options on", async () => {
  const args = ["--env", "WORD=hi", "-C", "/", "sh", "-c", 'pwd; echo "$WORD $1"; exit 3', "-", "-t"];
  expect(await json("processes", "run", ...args)).toMatchObject({ exitCode: 3, stdout: "/\nhi -t\n" });
});

test("a run can be streamed", async () => {
  const { stdout } = await run("processes", "run-stream", "echo", "hi");
  expect(stdout).toMatch(/^event: log\nid: 1\ndata: .*\n\nevent: exit\ndata: .*"exitCode":0.*\n\n$/);
});

test("a process is created, written to, read, stopped and deleted", async () => {
  const { id } = await json("processes", "create", "-i", "--tag", "web", "cat");
  expect((await json("processes", "list", "--tag", "web")).processes).toMatchObject([{ id, tags: ["web"] }]);
  expect((await json("processes", "list", "--tag", "other")).processes).toEqual([]);
  expect(await json("processes", "input", id, "hello", "--close")).toEqual({ bytesWritten: 5 });
  expect((await run("processes", "logs", id, "--follow")).stdout).toContain(btoa("hello"));
  expect((await json("processes", "logs", id, "--tail", "1")).entries).toMatchObject([{ data: btoa("hello") }]);
  expect(await json("processes", "kill", id, "--wait-ms", "10000")).toMatchObject({ status: "exited", exitCode: 0 });
  expect(await run("processes", "delete", id)).toMatchObject({ code: 0, stdout: "" });
});

test("an invalid signal is rejected", async () => {
  expect((await run("processes", "signal", "x", "SIGFOO")).stderr).toContain("SIGTERM");
});

test.each(["processes", "terminals"])("an invalid size of `%s resize` is rejected", async (group) => {
  expect(await run(group, "resize", "x", "0", "24")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("1000"),
  });
});

test("limits are shown and set", async () => {
  expect(await json("processes", "set-config", "--max-concurrent-processes", "7")).toMatchObject({
    maxConcurrentProcesses: 7,
  });
  expect((await json("processes", "config")).maxConcurrentProcesses).toBe(7);
});

test("terminals are listed, shown and recorded", async () => {
  const { id } = await json("processes", "create", "--tty", "--cols", "33", "sh", "-c", "echo shown");
  await run("processes", "logs", id, "--follow");
  expect((await json("terminals", "list")).terminals).toMatchObject([{ id, cols: 33 }]);
  expect((await json("terminals", "screen", id)).text).toBe("shown");
  expect((await run("terminals", "recording", id)).stdout).toMatch(/^{"version":2,"width":33,/);
});
