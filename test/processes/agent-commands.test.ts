/** Commands of agents as terminals: a view of the events of their sessions, built on demand. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { checkEvents, TerminalList } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { fillUp, mountDisk } from "../harness/disk.ts";
import { expectProblem } from "../harness/problem.ts";
import { type Puppet, puppet, toolCall, toolOutput, toolResult, words } from "../harness/puppet.ts";
import { screenWith, view } from "./lab.ts";

interface Lab extends Puppet {
  client: TestClient;
  stop(): Promise<void>;
}

/** A daemon with sessions that are in the middle of a turn. */
async function startLab(sessionIds: string[], dataDir?: string): Promise<Lab> {
  const agent = puppet();
  const daemon = await startTestDaemon(dataDir === undefined ? {} : { dataDir }, agent.agents);
  const client = new TestClient(daemon.url);
  for (const id of sessionIds) {
    await client.create(id);
    await client.send(id, "go");
  }
  return { ...agent, client, stop: daemon.stop };
}

async function list(client: TestClient) {
  return TerminalList().parse((await client.get("/v1/terminals")).json).terminals;
}

async function onlyOne(client: TestClient): Promise<string> {
  const terminals = await list(client);
  expect(terminals).toHaveLength(1);
  return terminals[0]?.id ?? "";
}

const screen = async (client: TestClient, id: string) => (await client.get(`/v1/terminals/${id}/screen`)).json.text;

/** Starts a command in a session. */
async function run({ emit }: Lab, sessionId: string, callId: string, command: string | string[]): Promise<void> {
  await emit(sessionId, toolCall(callId, { command }), toolResult("item.started", callId, ""));
}

test("a command is a terminal while it runs and afterwards", async () => {
  const lab = await startLab(["s"]);
  const { client, emit } = lab;
  await run(lab, "s", "1", "make test");
  await emit("s", toolOutput("1", "first\n"));
  const id = await onlyOne(client);
  const running = { id, kind: "agent", title: "make test", status: "running", sessionId: "s", viewers: 0 };
  expect((await list(client))[0]).toMatchObject(running);
  const { json } = await client.get(`/v1/terminals/${id}`);
  expect(json).toMatchObject(running);
  expect(json.createdAtMs).toBeGreaterThan(Date.now() - 60_000);
  expect(await screen(client, id)).toBe("$ make test\nfirst");
  await emit("s", toolOutput("1", "second\n"), toolResult("item.completed", "1", "first\nsecond\n"));
  expect(await screen(client, id)).toBe("$ make test\nfirst\nsecond");
  expect((await client.get(`/v1/terminals/${id}`)).json.status).toBe("exited");
});

test("viewers get what was written, then what follows, and the end", async () => {
  const lab = await startLab(["s"]);
  const { client, emit } = lab;
  await run(lab, "s", "1", "make");
  await emit("s", toolOutput("1", "before\n"));
  const id = await onlyOne(client);
  const viewers = [view(client, `/v1/terminals/${id}/ws`), view(client, `/v1/terminals/${id}/ws`)];
  for (const { until, shown } of viewers) await until(() => shown().includes("before"));
  expect((await list(client))[0]?.viewers).toBe(2);
  await emit("s", words("message", "not of the command"), toolOutput("1", "after\n"));
  for (const { until, shown } of viewers) await until(() => shown().includes("after\r\n"));
  await emit("s", toolResult("item.completed", "1", "before\nafter\n"));
  for (const { closed, shown, frames } of viewers) {
    expect(await closed).toBe(1000);
    expect(frames.at(-1)).toEqual({ type: "exit" });
    expect(shown()).not.toContain("not of the command");
  }
  await expect.poll(async () => (await list(client))[0]?.viewers).toBe(0);
});

test("output that comes in one piece is shown, too", async () => {
  const { client, emit } = await startLab(["s"]);
  await emit("s", toolCall("1", { command: ["ls", "-l"] }), toolResult("item.completed", "1", "total 0"));
  const id = await onlyOne(client);
  expect(await screen(client, id)).toBe("$ ls -l\ntotal 0");
  const { text } = await client.get(`/v1/terminals/${id}/recording`);
  const [header, ...events] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 2, width: 120, height: 40, title: "ls -l" });
  expect(events.map(([, kind, shown]) => [kind, shown])).toEqual([
    ["r", "120x40"],
    ["o", "$ ls -l\r\n"],
    ["o", "total 0"],
  ]);
});

test("tools that run no command are none", async () => {
  const { client, emit } = await startLab(["s"]);
  await emit("s", toolCall("1", { query: 'the "command"' }), toolResult("item.completed", "1", "found"));
  await emit("s", toolResult("item.completed", "2", "of an unknown call"));
  expect(await list(client)).toEqual([]);
  for (const id of ["cmd_1_itm_2", "cmd_1_itm_99", "cmd_99_itm_1", "cmd_1_", "cmd_x_itm_1"])
    expectProblem(await client.get(`/v1/terminals/${id}`), "not_found", { details: { resource: "terminal", id } });
});

test("it is read-only", async () => {
  const lab = await startLab(["s"]);
  await run(lab, "s", "1", "cat");
  const path = `/v1/terminals/${await onlyOne(lab.client)}`;
  expectProblem(await lab.client.post(`${path}/input`, { data: "typed", encoding: "utf8" }), "conflict");
  expectProblem(await lab.client.post(`${path}/resize`, { cols: 10, rows: 10 }), "conflict");
});

test("the newest that have ended are listed, and those that run; a closed one is not", async () => {
  const lab = await startLab(["s"]);
  const { client, emit } = lab;
  await run(lab, "s", "running", "sleep 1000");
  for (let index = 0; index < 40; index++)
    await emit(
      "s",
      toolCall(`${index}`, { command: `command ${index}` }),
      toolResult("item.completed", `${index}`, `${index}`),
    );
  const terminals = await list(client);
  const newest = Array.from({ length: 16 }, (_, index) => `command ${index + 24}`);
  expect(terminals.map(({ title }) => title)).toEqual(["sleep 1000", ...newest]);
  const [, first] = terminals;
  expect((await client.delete(`/v1/terminals/${first?.id}`)).status).toBe(204);
  expect((await list(client)).map(({ title }) => title)).toEqual(["sleep 1000", ...newest.slice(1)]);
  // One that is no longer listed can still be opened by its id: call, result, and before them the user's message.
  expect(await screen(client, "cmd_1_itm_5")).toBe("$ command 0\n0");
});

test("a long session is read to its end", async () => {
  const lab = await startLab(["s"]);
  const { client, emit } = lab;
  await run(lab, "s", "1", "yes");
  const [first] = await list(client);
  for (let index = 0; index < 60; index++)
    await emit("s", ...Array.from({ length: 100 }, (_, line) => toolOutput("1", `${index * 100 + line}\n`)));
  await run(lab, "s", "2", "ls");
  const terminals = await list(client);
  expect(terminals.map(({ title }) => title)).toEqual(["yes", "ls"]);
  expect(await screen(client, first?.id ?? "")).toContain("\n5999");
});

describe("several sessions", () => {
  test("what one writes is not shown on the terminal of another", async () => {
    const lab = await startLab(["a", "b"]);
    const { client, emit } = lab;
    await run(lab, "a", "1", "make");
    const [terminal] = await list(client);
    expect(terminal?.itemId).toBe("itm_3");
    const viewer = view(client, `/v1/terminals/${terminal?.id}/ws`);
    await viewer.until(() => viewer.shown().includes("$ make"));
    await emit("b", words("first", "x"), words("second", "secret of b"));
    const events = await client.events("b");
    expect(events.filter(({ type }) => type === "item.delta").map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ item_id: "itm_3", delta: "secret of b" }),
    );
    await emit("a", toolOutput("1", "of a\n"), toolResult("item.completed", "1", ""));
    await viewer.closed;
    expect(viewer.shown()).not.toContain("secret");
    expect(await screen(client, terminal?.id ?? "")).toBe("$ make\nof a");
  });

  test("commands with the same ids are different ones", async () => {
    const lab = await startLab(["a", "b"]);
    for (const id of ["a", "b"]) {
      await run(lab, id, "1", `echo ${id}`);
      await lab.emit(id, toolOutput("1", `${id}\n`));
    }
    const terminals = await list(lab.client);
    expect(terminals.map(({ sessionId, itemId }) => [sessionId, itemId])).toEqual([
      ["a", "itm_3"],
      ["b", "itm_3"],
    ]);
    for (const { id, sessionId } of terminals)
      expect(await screen(lab.client, id)).toBe(`$ echo ${sessionId}\n${sessionId}`);
  });
});

test("deleting a session in the middle of a command closes its viewers and removes its terminal", async () => {
  const lab = await startLab(["s"]);
  const { client } = lab;
  await run(lab, "s", "1", "sleep 1000");
  const id = await onlyOne(client);
  const viewer = view(client, `/v1/terminals/${id}/ws`);
  await viewer.until(() => viewer.shown().includes("sleep"));
  expect((await client.delete("/v1/sessions/s")).status).toBe(204);
  expect(await viewer.closed).toBe(1000);
  expect(await list(client)).toEqual([]);
  expectProblem(await client.get(`/v1/terminals/${id}`), "not_found", { details: { resource: "terminal", id } });
});

test("the terminals of commands outlive the daemon", async () => {
  const dataDir = temporaryDirectory();
  const lab = await startLab(["s"], dataDir);
  await run(lab, "s", "1", "make");
  await lab.emit("s", toolOutput("1", "half done\n"));
  const id = await onlyOne(lab.client);
  await lab.stop();
  const { client } = await startLab([], dataDir);
  expect((await client.get(`/v1/terminals/${id}`)).json).toMatchObject({ title: "make", status: "exited" });
  expect(await screen(client, id)).toBe("$ make\nhalf done");
  const viewer = view(client, `/v1/terminals/${id}/ws`);
  expect(await viewer.closed).toBe(1000);
  expect(viewer.shown()).toContain("half done");
});

test("a full disk while an agent runs a command harms neither the turn nor the terminal", async (context) => {
  const dataDir = temporaryDirectory();
  mountDisk(context, dataDir, "size=20m");
  const lab = await startLab(["s"], dataDir);
  const { client, emit } = lab;
  const ballast = join(dataDir, "ballast");
  fillUp(ballast);
  const stored = (await client.events("s")).length;
  const emitted = (async () => {
    await run(lab, "s", "1", "make");
    await emit("s", toolOutput("1", "x".repeat(100_000)));
    await emit("s", toolOutput("1", "\nbuilt\n"), toolResult("item.completed", "1", "built"), { type: "turn.ended" });
  })();
  await expect.poll(async () => (await client.get("/v1/sessions/s")).json.lastSequence).toBeGreaterThan(stored);
  expect(await list(client)).toEqual([]);
  rmSync(ballast);
  await emitted;
  await client.wait("s");
  expect(checkEvents(await client.events("s"), { finished: true })).toEqual([]);
  expect((await client.get("/v1/sessions/s")).json.status).toBe("idle");
  await screenWith(client, await onlyOne(client), /built/);
});
