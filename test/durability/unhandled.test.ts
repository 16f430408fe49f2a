/** Failures that no code has handled: in the log as lines of their own, without secrets, and never on standard error as they are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { TestClient } from "../harness/client.ts";
import { temporaryDirectory } from "../harness/daemon.ts";

const token = "token-nobody-may-see";
const key = "key-nobody-may-see";
const hidden = "[redacted] and [redacted]";

interface Failing {
  client: TestClient;
  child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  stderr: Promise<string>;
}

/** In memory without a directory: then the log is on standard error. */
async function startFailing(dataDir = ""): Promise<Failing> {
  const program = join(import.meta.dirname, "failing-daemon.ts");
  const env = { ...process.env, SANDBOX_AGENT_LOG: "warn" };
  const child = Bun.spawn([process.execPath, program, dataDir, token], { stdout: "pipe", stderr: "pipe", env });
  onTestFinished(() => child.kill("SIGKILL"));
  const stderr = new Response(child.stderr).text();
  const { value } = await child.stdout.getReader().read();
  const client = new TestClient(new TextDecoder().decode(value).trim(), token);
  await client.create("s", { credentials: { anthropic: key } });
  return { client, child, stderr };
}

function logged(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function linesOf(dataDir: string): unknown[] {
  return logged(readFileSync(join(dataDir, "logs/sandbox-agent.log"), "utf8"));
}

const failure = (name: string, message: string) => ({
  level: "error",
  message,
  error: { message: `${name}: ${hidden}`, stack: expect.stringContaining("failing-daemon.ts") },
});

test("an unhandled rejection is logged, and the daemon continues", async () => {
  const dataDir = temporaryDirectory();
  const { client, child, stderr } = await startFailing(dataDir);
  await client.stream("s", "rejection");
  await vi.waitFor(() => expect(linesOf(dataDir)).toMatchObject([failure("rejection", "unhandled promise rejection")]));
  await client.stream("s", "hello");
  child.kill("SIGTERM");
  expect([await child.exited, await stderr]).toEqual([0, ""]);
});

test("a background task that fails is logged with its name and session", async () => {
  const dataDir = temporaryDirectory();
  const { client, child, stderr } = await startFailing(dataDir);
  await client.stream("s", "task");
  const line = { ...failure("task", "a background task failed"), task: "fail on purpose", sessionId: "s" };
  await vi.waitFor(() => expect(linesOf(dataDir)).toMatchObject([line]));
  child.kill("SIGTERM");
  expect([await child.exited, await stderr]).toEqual([0, ""]);
});

test("an uncaught exception is logged, and the daemon stops gracefully with code 1", async () => {
  const dataDir = temporaryDirectory();
  const { client, child, stderr } = await startFailing(dataDir);
  await client.post("/v1/sessions/s/messages", { message: "exception" });
  expect([await child.exited, await stderr]).toEqual([1, ""]);
  expect(linesOf(dataDir)).toMatchObject([failure("exception", "uncaught exception; the daemon stops")]);
  const next = await startFailing(dataDir);
  expect((await next.client.events("s")).at(-1)).toMatchObject({ type: "turn.ended" });
});

test("without a directory they are on standard error, in the same form", async () => {
  const { client, child, stderr } = await startFailing();
  await client.stream("s", "rejection");
  await client.stream("s", "task");
  await client.post("/v1/sessions/s/messages", { message: "exception" });
  expect(await child.exited).toBe(1);
  expect(logged(await stderr)).toMatchObject([
    failure("rejection", "unhandled promise rejection"),
    { ...failure("task", "a background task failed"), task: "fail on purpose", sessionId: "s" },
    failure("exception", "uncaught exception; the daemon stops"),
  ]);
});
