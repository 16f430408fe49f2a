/** DELETE ends a session and erases it: afterwards there is no trace of it, and its id is free. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";

test("deleting a session is answered without content", async () => {
  const client = await startTestClient();
  await client.create("a");
  const answer = await client.delete("/v1/sessions/a");
  expect(answer.status).toBe(204);
});

describe("a deleted session", () => {
  test.each(["", "/events", "/transcript", "/requests"])("is not found at /v1/sessions/{id}%s", async (path) => {
    const client = await startTestClient();
    await client.create("a");
    await client.delete("/v1/sessions/a");
    expectProblem(await client.get(`/v1/sessions/a${path}`), "session_not_found", { sessionId: "a" });
  });

  test("cannot be deleted again", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.delete("/v1/sessions/a");
    expectProblem(await client.delete("/v1/sessions/a"), "session_not_found", { sessionId: "a" });
  });

  test("is no longer listed, the others are", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.create("b");
    await client.delete("/v1/sessions/a");
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(["b"]);
  });

  test("is not replayed on the stream of all sessions", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "hello");
    await client.create("b");
    await client.delete("/v1/sessions/a");
    const reader = await client.open("/v1/events/sse?offset=0");
    const [first] = await reader.take(1);
    expect(first?.event.session_id).toBe("b");
  });
});

describe("deleting a session with a running turn", () => {
  test("ends its event stream", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "hang");
    const reader = await client.open("/v1/sessions/a/events/sse?offset=1");
    await reader.until(({ type }) => type === "item.completed");
    await client.delete("/v1/sessions/a");
    expect(await reader.rest()).toEqual([]);
  });

  test("ends the stream of its message", async () => {
    const client = await startTestClient();
    await client.create("a");
    const body = { message: "hang" };
    const reader = await client.open("/v1/sessions/a/messages/stream", { method: "POST", body });
    await reader.until(({ type }) => type === "item.completed");
    await client.delete("/v1/sessions/a");
    expect(await reader.rest()).toEqual([]);
  });

  test("lets go of those who wait for it", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "hang");
    const waiting = client.get("/v1/sessions/a/wait?timeout_ms=600000");
    await client.delete("/v1/sessions/a");
    const { status } = await waiting;
    expect(status).toBe(404);
  });
});

test("an agent that fails because its session is deleted restores neither the session nor its queue", async () => {
  let opened = 0;
  const agents = agentsWithMock((mock) => ({
    async open(spec, sink) {
      opened += 1;
      const agentSession = await mock.open(spec, sink);
      const closed = Promise.withResolvers<void>();
      closed.promise.catch(() => {});
      const close = async () => closed.reject(new Error("closed in the middle of a message"));
      return Object.assign(Object.create(agentSession), { send: () => closed.promise, close });
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "running");
  await client.send("a", "queued");
  const everything = await client.open("/v1/events/sse");
  await client.delete("/v1/sessions/a");
  await client.create("b");
  const told = await everything.until(({ session_id }) => session_id === "b");
  expect(told.map(({ event }) => event.session_id)).toEqual(["b"]);
  expect(opened).toBe(2);
});

test("a session that is deleted while its message is handed over gives its agent nothing any more", async () => {
  const [configuring, configured] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const told: string[] = [];
  const agents = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const agentSession = await mock.open(spec, sink);
      const send = async () => void told.push("send");
      const close = async () => void told.push("close");
      const configure = () => {
        configuring.resolve();
        return configured.promise;
      };
      return Object.assign(Object.create(agentSession), { send, close, configure });
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.patch("/v1/sessions/a", { agentMode: "plan" });
  await client.send("a", "hello");
  await configuring.promise;
  await client.delete("/v1/sessions/a");
  configured.resolve();
  await client.create("b");
  expect(told).toEqual(["close"]);
});

describe("the id of a deleted session", () => {
  test("begins a new history", async () => {
    const client = await startTestClient();
    await client.create("a", { title: "old" });
    await client.stream("a", "hello");
    await client.delete("/v1/sessions/a");
    await client.create("a", { title: "new" });
    await client.stream("a", "again");
    expect(outline(await client.events("a"))).toEqual([
      "session.started",
      "turn.started",
      "item.started message user in_progress mock_1_user",
      "item.completed message user completed mock_1_user",
      "item.started message assistant in_progress mock_1_reply",
      "item.delta mock_1_reply",
      "item.completed message assistant completed mock_1_reply",
      "turn.ended completed",
    ]);
  });

  test("is not bound by the keys of old messages", async () => {
    const client = await startTestClient();
    const headers = { "idempotency-key": "one" };
    await client.create("a");
    await client.post("/v1/sessions/a/messages", { message: "old" }, { headers });
    await client.wait("a");
    await client.delete("/v1/sessions/a");
    await client.create("a");
    const answer = await client.post("/v1/sessions/a/messages", { message: "new" }, { headers });
    expect(answer.status).toBe(204);
  });
});

test("deleted sessions leave no events in the database, not even those they have just had", async () => {
  const dataDir = temporaryDirectory();
  const { url, stop } = await startTestDaemon({ dataDir });
  const client = new TestClient(url);
  for (const id of ["a", "b"]) {
    await client.create(id);
    await client.stream(id, "hello");
    await client.delete(`/v1/sessions/${id}`);
  }
  await stop();
  const database = new Database(join(dataDir, "events.db"), { readonly: true });
  const left = database.query(
    "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM recent) AS recent",
  );
  expect(left.get()).toEqual({ events: 0, recent: 0 });
  database.close();
});

test("a deletion that a crash cut short is completed by the next run", async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestDaemon({ dataDir });
  const client = new TestClient(first.url);
  for (const id of ["a", "b"]) {
    await client.create(id);
    await client.stream(id, "hello");
  }
  await first.stop();
  // The session goes first, its events follow in steps: the crash came in between.
  const database = () => new Database(join(dataDir, "events.db"));
  const counts = (): unknown =>
    database()
      .query(
        "SELECT (SELECT count(DISTINCT session) FROM commits) AS commits, (SELECT count(DISTINCT id >> 32) FROM events) AS events",
      )
      .get();
  database().run("DELETE FROM sessions WHERE id = 'a'");
  expect(counts()).toEqual({ commits: 2, events: 2 });

  const second = await startTestDaemon({ dataDir });
  expect((await new TestClient(second.url).events("b")).length).toBeGreaterThan(1);
  await second.stop();
  expect(counts()).toEqual({ commits: 1, events: 1 });
});
