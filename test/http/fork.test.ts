/** `POST /v1/sessions/{id}/fork`: a new session that starts with the history of another. */
import { type Checkpoint, checkEvents, type TranscriptItem, textOf } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { TestClient as Client } from "../harness/client.ts";
import { agentsWithMock, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

const fork = (client: TestClient, id: string, body?: unknown) => client.post(`/v1/sessions/${id}/fork`, body);

async function texts(client: TestClient, id: string): Promise<string[]> {
  const { items } = (await client.get(`/v1/sessions/${id}/transcript`)).json;
  return items.map(({ content }: TranscriptItem) => textOf(content));
}

test("a fork has the settings and the history of its origin, and goes its own way", async () => {
  const client = await startTestClient();
  const directory = temporaryDirectory();
  await client.create("origin", { directory, title: "Apples", agentMode: "plan", endpoints: { openai: "http://x" } });
  await client.stream("origin", "the word is apple");
  await client.stream("origin", "tool");
  const { json } = await fork(client, "origin", { sessionId: "copy" });
  expect(json).toMatchObject({ sessionId: "copy", agentMode: "plan", directory, title: "Apples (fork #1)", usage: {} });
  expect(await texts(client, "copy")).toEqual(await texts(client, "origin"));
  const events = await client.events("copy");
  expect(checkEvents(events, { finished: true })).toEqual([]);
  expect(events[0]?.data).toMatchObject({ metadata: { forkedFrom: "origin" } });

  await client.stream("copy", "what was it?");
  const [question, answer] = (await texts(client, "copy")).slice(-2);
  expect(question).toBe("what was it?");
  expect(answer).toContain("User: the word is apple\n\nAssistant: the word is apple");
  expect(answer).toMatch(/---\n\nwhat was it\?$/);
  await client.stream("copy", "thanks");
  expect((await texts(client, "copy")).at(-1)).toBe("thanks");
  expect(checkEvents(await client.events("copy"), { finished: true })).toEqual([]);
  expect(await texts(client, "origin")).toHaveLength(5);

  expect((await fork(client, "copy")).json).toMatchObject({ title: "Apples (fork #2)" });
});

test("a fork ends with the turn it was asked to, and leaves out the one that runs", async () => {
  const client = await startTestClient();
  await client.create("origin");
  for (const word of ["one", "two"]) await client.stream("origin", word);
  await client.send("origin", "hang");
  await fork(client, "origin", { sessionId: "all" });
  await fork(client, "origin", { sessionId: "first", lastTurn: 1 });
  await fork(client, "origin", { sessionId: "none", lastTurn: 0, title: "Anew", directory: temporaryDirectory() });
  expect(await texts(client, "all")).toEqual(["one", "one", "two", "two"]);
  expect(await texts(client, "first")).toEqual(["one", "one"]);
  expect((await client.get("/v1/sessions/none")).json).toMatchObject({ title: "Anew", eventCount: 1 });
  await client.stream("none", "hello");
  expect(await texts(client, "none")).toEqual(["hello", "hello"]);
});

test("a fork has no checkpoints of turns that ran in its origin", async () => {
  const client = await startTestClient();
  await client.create("origin", { directory: temporaryDirectory() });
  await client.stream("origin", "hello");
  await fork(client, "origin", { sessionId: "copy" });
  await client.stream("copy", "hello");
  const turnsOf = async (id: string) => {
    const { checkpoints } = (await client.get(`/v1/sessions/${id}/checkpoints`)).json;
    return checkpoints
      .filter(({ reason }: Checkpoint) => reason === "turn_started")
      .map(({ turn }: Checkpoint) => turn);
  };
  expect(await turnsOf("origin")).toEqual([1]);
  expect(await turnsOf("copy")).toEqual([2]);
});

test("failed turns are included, and a session that has ended can be forked", async () => {
  const client = await startTestClient();
  await client.create("origin");
  await client.stream("origin", "say hello");
  await client.send("origin", "crash");
  await client.wait("origin");
  await client.post("/v1/sessions/origin/terminate");
  await fork(client, "origin", { sessionId: "copy" });
  const events = await client.events("copy");
  expect(checkEvents(events, { finished: true })).toEqual([]);
  const ends = events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata?.reason] : []));
  expect(ends).toEqual(["completed", "failed"]);
  expect((await client.get("/v1/sessions/copy")).json.status).toBe("idle");
});

test("the agent gets the fork context until it has answered, also after a restart", async () => {
  const dataDir = temporaryDirectory();
  let broken = true;
  const agents = agentsWithMock((mock) => ({
    open: async (spec, sink) => {
      const session = await mock.open(spec, sink);
      const send: typeof session.send = async (turn) => {
        if (broken && turn.text.includes("fails")) throw new Error("the agent is unwell");
        return session.send(turn);
      };
      return { ...session, send, nativeSessionId: session.nativeSessionId };
    },
  }));
  const first = await startTestDaemon({ dataDir }, agents);
  const before = new Client(first.url);
  await before.create("origin");
  await before.stream("origin", "the word is apple");
  await fork(before, "origin", { sessionId: "copy" });
  await before.send("copy", "this fails");
  await before.wait("copy");
  await first.stop();
  broken = false;
  const client = await startTestClient({ dataDir }, agents);
  await client.stream("copy", "and now?");
  expect((await texts(client, "copy")).at(-1)).toContain("User: the word is apple");
  await client.stream("copy", "and then?");
  expect((await texts(client, "copy")).at(-1)).toBe("and then?");
});

test("a history whose beginning was removed is forked from where it begins", async () => {
  const dataDir = temporaryDirectory();
  const long = await startTestDaemon({ dataDir });
  const before = new Client(long.url);
  await before.create("origin");
  for (const word of ["one", "two", "three"]) await before.stream("origin", word);
  const lastTurn = (await before.events("origin")).findLast(({ type }) => type === "turn.started")?.sequence ?? 0;
  const kept = (await before.get("/v1/sessions/origin")).json.lastSequence - lastTurn + 1;
  await long.stop();
  const client = await startTestClient({ dataDir, retainEvents: kept });
  await expect.poll(() => texts(client, "origin"), { timeout: 20_000 }).toEqual(["three", "three"]);
  await fork(client, "origin", { sessionId: "copy", lastTurn: 3 });
  expect(await texts(client, "copy")).toEqual(["three", "three"]);
  await fork(client, "origin", { sessionId: "earlier", lastTurn: 2 });
  expect(await texts(client, "earlier")).toEqual([]);
  await client.stream("copy", "four");
  expect(checkEvents(await client.events("copy"), { finished: true })).toEqual([]);
});

test.each([
  ["nobody", {}, 404, "session_not_found"],
  ["origin", { sessionId: "origin" }, 409, "session_already_exists"],
  ["origin", { sessionId: "" }, 400, "invalid_request"],
  ["origin", { lastTurn: -1 }, 400, "invalid_request"],
  ["origin", { lastTurn: "all" }, 400, "invalid_request"],
  ["origin", { directory: "/nonexistent/here" }, 400, "invalid_request"],
])("a fork of %s with %o is rejected", async (id, body, status, kind) => {
  const client = await startTestClient();
  await client.create("origin");
  const answer = await fork(client, id, body);
  expect([answer.status, answer.json.type]).toEqual([status, `urn:sandbox-agent:error:${kind}`]);
  expect((await client.get("/v1/sessions")).json.sessions).toHaveLength(1);
});
