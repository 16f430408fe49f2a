/** The connection of a session to its agent: when it is opened, what passes through it, and when it is closed. */
import type { AgentRegistry, AgentSession, SessionSpec, Sink } from "@sandbox-agent/agents";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";

interface Watched {
  agents: AgentRegistry;
  /** What the agent was asked to do, in order. */
  calls: string[];
  opened: SessionSpec[];
  sinks: Sink[];
}

type Change = (session: AgentSession, sink: Sink, opened: number) => Partial<AgentSession>;

/** The mock, with its calls recorded and parts of its sessions replaced. */
function watched(change: Change = () => ({})): Watched {
  const seen: Omit<Watched, "agents"> = { calls: [], opened: [], sinks: [] };
  const agents = agentsWithMock((mock) => ({
    async open(spec, sink) {
      seen.calls.push("open");
      seen.opened.push(spec);
      seen.sinks.push(sink);
      const plain = await mock.open(spec, sink);
      const session: AgentSession = { ...plain, ...change(plain, sink, seen.opened.length) };
      return {
        ...session,
        send: (turn) => recorded("send", session.send(turn)),
        abort: () => recorded("abort", session.abort()),
        close: () => recorded("close", session.close()),
      };
    },
  }));
  function recorded(call: string, result: Promise<void>): Promise<void> {
    seen.calls.push(call);
    return result;
  }
  return { agents, ...seen };
}

const configure = (client: TestClient, directory: string) =>
  client.put(`/v1/config/mcp?${new URLSearchParams({ directory, mcpName: "tools" })}`, {
    type: "local",
    command: "server",
  });

const ends = (events: UniversalEvent[]) => outline(events).filter((line) => /^(error|turn|session)/.test(line));

describe("an agent whose setup has changed", () => {
  test("is opened again, but not when only the setup of another directory has", async () => {
    const { agents, calls } = watched();
    const client = await startTestClient({}, agents);
    const directory = temporaryDirectory();
    await client.create("a", { directory });
    await configure(client, temporaryDirectory());
    await client.stream("a", "hello");
    expect(calls).toEqual(["open", "send"]);
    await configure(client, directory);
    await client.stream("a", "hello");
    expect(calls).toEqual(["open", "send", "close", "open", "send"]);
  });

  test("does not hold up the next turn when it does not close", async () => {
    const closed = Promise.withResolvers<void>();
    const { agents, calls } = watched((session, _, opened) =>
      opened === 1 ? { close: () => closed.promise } : session,
    );
    const client = await startTestClient({}, agents);
    const directory = temporaryDirectory();
    await client.create("a", { directory });
    await configure(client, directory);
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
    expect(calls).toEqual(["open", "close", "open", "send"]);
    closed.resolve();
  });

  test("does not fail the next turn when it fails to close", async () => {
    const fails = { close: () => Promise.reject(new Error("it is stuck")) };
    const { agents } = watched((session, _, opened) => (opened === 1 ? fails : session));
    const client = await startTestClient({}, agents);
    const directory = temporaryDirectory();
    await client.create("a", { directory });
    await configure(client, directory);
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });
});

test("a start that fails after it was given up does not disconnect the agent that was started instead", async () => {
  const start = Promise.withResolvers<never>();
  let starts = 0;
  const agents = agentsWithMock((mock) => ({
    open(spec, sink) {
      starts += 1;
      return starts === 2 ? start.promise : mock.open(spec, sink);
    },
  }));
  const client = await startTestClient({}, agents);
  const directory = temporaryDirectory();
  await client.create("a", { directory });
  await client.stream("a", "end");
  await client.send("a", "never sent");
  await client.post("/v1/sessions/a/abort");
  await configure(client, directory);
  await client.stream("a", "hello");
  start.reject(new Error("too late"));
  await client.stream("a", "hello again");
  expect(starts).toBe(3);
  expect(ends(await client.events("a"))).toEqual([
    "session.started",
    "turn.started",
    "session.ended completed agent",
    "turn.started",
    "turn.ended aborted",
    "turn.started",
    "turn.ended completed",
    "turn.started",
    "turn.ended completed",
  ]);
});

test("an agent that ended the session is closed, and opened again for the next message", async () => {
  const { agents, calls } = watched();
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.stream("a", "end");
  await client.stream("a", "hello");
  expect(calls).toEqual(["open", "send", "close", "open", "send"]);
});

test("an agent is closed when the end of its session is answered", async () => {
  const steps: string[] = [];
  const { agents } = watched(() => ({
    async close() {
      await Bun.sleep(50);
      steps.push("closed");
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.post("/v1/sessions/a/terminate").then(() => steps.push("answered"));
  expect(steps).toEqual(["closed", "answered"]);
});

test("what an agent emits before its session is stored follows the start of the session", async () => {
  const agents = agentsWithMock((mock) => ({
    async open(spec, sink) {
      await sink.emit([{ type: "error", error: { message: "first", code: "first" } }]);
      await sink.emit([{ type: "error", error: { message: "second", code: "second" } }]);
      return mock.open(spec, sink);
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  expect(outline(await client.events("a"))).toEqual(["session.started", "error first", "error second"]);
});

test("the id that an agent gives its conversation later replaces the one it began with", async () => {
  const { agents, opened, sinks } = watched();
  const client = await startTestClient({}, agents);
  await client.create("a");
  await sinks[0]?.emit([{ type: "session.identified", native_session_id: "renamed" }]);
  const events = await client.stream("a", "end");
  expect(new Set(events.map(({ native_session_id }) => native_session_id))).toEqual(new Set(["renamed"]));
  expect((await client.get("/v1/sessions/a")).json.nativeSessionId).toBe("renamed");
  await client.stream("a", "hello");
  expect(opened.map(({ nativeSessionId }) => nativeSessionId)).toEqual([null, "renamed"]);
});

test("an agent can have the conversation so far, but not that of a fork, which is in its first message", async () => {
  const { agents, opened } = watched();
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.stream("a", "the word is apple");
  await client.post("/v1/sessions/a/fork", { sessionId: "copy" });
  const [ofOrigin, ofFork] = await Promise.all(opened.map(({ history }) => history?.()));
  expect(ofOrigin).toBe("User: the word is apple\n\nAssistant: the word is apple");
  expect(ofFork).toBeNull();
});

test("a turn fails when the agent does not accept changed settings, which are given to it with the next", async () => {
  let refuses = true;
  const { agents, calls } = watched(() => ({
    async configure() {
      if (refuses) throw new Error("no such model");
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.patch("/v1/sessions/a", { model: "none" });
  await client.send("a", "hello");
  await client.wait("a");
  const events = await client.events("a", "?offset=2");
  expect(ends(events)).toEqual(["turn.started", "error stream_error", "turn.ended failed"]);
  expect(JSON.stringify(events)).toContain("mock rejected the settings: no such model");
  expect(calls).not.toContain("send");
  refuses = false;
  expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
});

test("a reply that the agent does not accept is stored, and an error follows it", async () => {
  const { agents } = watched(() => ({ replyPermission: () => Promise.reject(new Error("not listening")) }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "permission1");
  const { json } = await client.wait("a", "request");
  const answer = await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
  expect(answer.status).toBe(204);
  expect(outline(await client.events("a", `?offset=${json.session.lastSequence}`))).toEqual([
    "permission.resolved mock_1_permission approved",
    "error reply_failed",
  ]);
});

test("a turn can be steered although the agent has not finished taking its message", async () => {
  const taken = Promise.withResolvers<void>();
  const { agents } = watched((session) => ({
    async send(turn) {
      await session.send(turn);
      await taken.promise;
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  await client.send("a", "left", { delivery: "steer" });
  expect(JSON.stringify(await client.events("a"))).toContain("steered: left");
  taken.resolve();
});

describe("aborting", () => {
  /** Ends the turn as the agent of a test wishes. */
  const endsWith = (reason?: "completed") =>
    watched((_, sink) => ({
      abort: async () => void (await sink.emit([{ type: "turn.ended", ...(reason && { reason }) }])),
    }));

  test("asks the agent, which stays open", async () => {
    const { agents, calls } = endsWith();
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "hang");
    await expect.poll(() => calls).toEqual(["open", "send"]);
    await client.post("/v1/sessions/a/abort");
    expect(ends(await client.events("a")).at(-1)).toBe("turn.ended aborted");
    await client.send("a", "hang");
    await expect.poll(() => calls).toEqual(["open", "send", "abort", "send"]);
  });

  test("asks the agent to end a turn that it has begun by itself", async () => {
    const { agents, calls, sinks } = endsWith();
    const client = await startTestClient({}, agents);
    await client.create("a");
    await sinks[0]?.emit([{ type: "turn.started" }]);
    await client.post("/v1/sessions/a/abort");
    expect(calls).toEqual(["open", "abort"]);
    expect(ends(await client.events("a")).at(-1)).toBe("turn.ended aborted");
  });

  test("leaves the reason to an agent that has one", async () => {
    const { agents, calls } = endsWith("completed");
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "hang");
    await expect.poll(() => calls).toContain("send");
    await client.post("/v1/sessions/a/abort");
    expect(ends(await client.events("a")).at(-1)).toBe("turn.ended completed");
  });

  test("ends the turn of an agent that refuses, which is closed before the answer", { timeout: 30_000 }, async () => {
    let isClosed = false;
    const { agents, calls } = watched((session, _, opened) =>
      opened > 1
        ? session
        : {
            abort: () => Promise.reject(new Error("no")),
            async close() {
              await Bun.sleep(50);
              isClosed = true;
            },
          },
    );
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "hang");
    await expect.poll(() => calls).toContain("send");
    await client.post("/v1/sessions/a/abort");
    expect(isClosed).toBe(true);
    expect(ends(await client.events("a")).at(-1)).toBe("turn.ended aborted");
    await client.stream("a", "hello");
    expect(calls).toEqual(["open", "send", "abort", "close", "open", "send"]);
  });
});
