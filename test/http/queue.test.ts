/** Messages sent while a turn runs: queued in order, listed, and cancellable. */
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";
import { puppet } from "../harness/puppet.ts";

/** A session whose first turn runs until `finish`, with these messages sent behind it. */
async function busyWith(...messages: string[]) {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  const ids: string[] = [];
  for (const message of messages) {
    const { headers } = await client.send("a", message);
    ids.push(headers.get("x-message-id") ?? "");
  }
  return { client, ids, finish: () => finish(client) };
}

async function finish(client: TestClient): Promise<UniversalEvent[]> {
  await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
  await client.wait("a");
  return client.events("a");
}

const texts = (events: UniversalEvent[]) =>
  events.flatMap((event) =>
    event.type === "item.completed" && event.data.item.role === "user" ? event.data.item.content : [],
  );

describe("a queued message", () => {
  test("is announced", async () => {
    const { client, ids } = await busyWith("second");
    const events = await client.events("a");
    expect(events.at(-1)).toMatchObject({
      type: "message.queued",
      source: "daemon",
      synthetic: true,
      data: { message_id: ids[0], message: "second" },
    });
  });

  test("is visible in the session, oldest first", async () => {
    const { client, ids } = await busyWith("second", "third");
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue).toEqual([
      { messageId: ids[0], message: "second", queuedAt: expect.any(Number) },
      { messageId: ids[1], message: "third", queuedAt: expect.any(Number) },
    ]);
  });

  test("shows its attachments", async () => {
    const { client } = await busyWith();
    await client.send("a", "second", { attachments: [{ path: "notes.txt" }] });
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue[0].attachments).toEqual([{ path: "notes.txt" }]);
  });

  test("keeps the session from being idle", async () => {
    const { client } = await busyWith("second");
    const { json } = await client.get("/v1/sessions/a/wait?until=idle&timeout_ms=0");
    expect(json.reached).toBeNull();
  });

  test("runs after the turn before it, first in, first out", async () => {
    const { finish } = await busyWith("second", "third", "fourth");
    const events = await finish();
    expect(texts(events)).toEqual(["permission1", "second", "third", "fourth"].map((text) => ({ type: "text", text })));
  });

  test("has a turn of its own that carries its id", async () => {
    const { finish, ids } = await busyWith("second", "third");
    const turns = (await finish()).filter(({ type }) => type === "turn.started");
    expect(turns.slice(1).map(({ data }) => data)).toEqual([
      { phase: "started", turn_id: "turn_2", metadata: { message_id: ids[0] } },
      { phase: "started", turn_id: "turn_3", metadata: { message_id: ids[1] } },
    ]);
  });

  test("leaves the queue when its turn starts", async () => {
    const { client, finish } = await busyWith("second");
    await finish();
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue).toEqual([]);
  });

  test("keeps the history well formed", async () => {
    const { finish } = await busyWith("second", "tool", "markdown");
    expect(checkEvents(await finish(), { finished: true })).toEqual([]);
  });

  test("can be streamed: its own turn and nothing else", async () => {
    const { client, finish } = await busyWith("second");
    const body = { message: "third" };
    const reader = await client.open("/v1/sessions/a/messages/stream", { method: "POST", body });
    await finish();
    const frames = await reader.rest();
    expect(outline(frames.map(({ event }) => event))).toEqual([
      "turn.started",
      "item.started message user in_progress mock_3_user",
      "item.completed message user completed mock_3_user",
      "item.started message assistant in_progress mock_3_reply",
      "item.delta mock_3_reply",
      "item.completed message assistant completed mock_3_reply",
      "turn.ended completed",
    ]);
  });

  test("waits for a turn that the agent begins by itself", async () => {
    const { agents, emit } = puppet();
    const client = await startTestClient({}, agents);
    await client.create("a");
    for (const text of ["first", "second"]) await client.send("a", text);
    await emit("a", { type: "turn.ended" }, { type: "turn.started" });
    expect((await client.get("/v1/sessions/a")).json.queue).toMatchObject([{ message: "second" }]);
    await emit("a", { type: "turn.ended" });
    await expect.poll(async () => (await client.get("/v1/sessions/a")).json.queue).toEqual([]);
    expect(checkEvents(await client.events("a"))).toEqual([]);
  });

  test("survives the agent ending the session before it", async () => {
    const { finish } = await busyWith("end", "after the end");
    const events = await finish();
    expect(outline(events).filter((line) => /^(turn|session)/.test(line))).toEqual([
      "session.started",
      "turn.started",
      "turn.ended completed",
      "turn.started",
      "session.ended completed agent",
      "turn.started",
      "turn.ended completed",
    ]);
  });

  test("survives a crash of the agent before it", async () => {
    const { finish } = await busyWith("crash", "after the crash");
    const events = await finish();
    expect(outline(events).filter((line) => /^(turn|session)/.test(line))).toEqual([
      "session.started",
      "turn.started",
      "turn.ended completed",
      "turn.started",
      "turn.ended failed",
      "turn.started",
      "turn.ended completed",
    ]);
  });
});

describe("messages sent at the same time", () => {
  const messages = Array.from({ length: 20 }, (_, index) => `message ${index}`);

  test("all run, each once", async () => {
    const client = await startTestClient();
    await client.create("a");
    await Promise.all(messages.map((message) => client.send("a", message)));
    await client.wait("a");
    const sent = texts(await client.events("a")).map((part) => (part.type === "text" ? part.text : ""));
    expect(sent.toSorted()).toEqual(messages.toSorted());
  });

  test("run one after the other", async () => {
    const client = await startTestClient();
    await client.create("a");
    await Promise.all(messages.map((message) => client.send("a", message)));
    await client.wait("a");
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });
});

describe("taking a queued message back", () => {
  test("is answered without content", async () => {
    const { client, ids } = await busyWith("second");
    const answer = await client.delete(`/v1/sessions/a/messages/${ids[0]}`);
    expect(answer.status).toBe(204);
  });

  test("is announced", async () => {
    const { client, ids } = await busyWith("second");
    await client.delete(`/v1/sessions/a/messages/${ids[0]}`);
    const events = await client.events("a");
    expect(events.at(-1)).toMatchObject({ type: "message.cancelled", data: { message_id: ids[0] } });
  });

  test("keeps the others in the queue", async () => {
    const { client, ids } = await busyWith("second", "third");
    await client.delete(`/v1/sessions/a/messages/${ids[0]}`);
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue).toMatchObject([{ messageId: ids[1], message: "third" }]);
  });

  test("keeps it from running", async () => {
    const { client, ids, finish } = await busyWith("second", "third");
    await client.delete(`/v1/sessions/a/messages/${ids[0]}`);
    expect(texts(await finish())).toEqual([
      { type: "text", text: "permission1" },
      { type: "text", text: "third" },
    ]);
  });

  test("ends its stream with message.cancelled", async () => {
    const { client } = await busyWith();
    const body = { message: "second" };
    const reader = await client.open("/v1/sessions/a/messages/stream", { method: "POST", body });
    await client.delete(`/v1/sessions/a/messages/${reader.response.headers.get("x-message-id")}`);
    const frames = await reader.rest();
    expect(outline(frames.map(({ event }) => event))).toEqual(["message.cancelled"]);
  });

  test("is too late once it runs", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { headers } = await client.send("a", "hang");
    const id = headers.get("x-message-id");
    expectProblem(await client.delete(`/v1/sessions/a/messages/${id}`), "not_found", {
      sessionId: "a",
      detail: `not found: no message ${id} is queued; it may have been started already`,
    });
  });

  test("does not find a message that never was", async () => {
    const { client } = await busyWith("second");
    expectProblem(await client.delete("/v1/sessions/a/messages/msg_nobody"), "not_found", { sessionId: "a" });
  });

  test("of one that never was changes nothing", async () => {
    const { client } = await busyWith("second");
    const before = await client.get("/v1/sessions/a");
    await client.delete("/v1/sessions/a/messages/msg_nobody");
    const after = await client.get("/v1/sessions/a");
    expect(after.json).toEqual(before.json);
  });
});

describe("delivery reject", () => {
  test.each(["messages", "messages/stream"])("is a conflict while a turn runs: %s", async (path) => {
    const { client } = await busyWith();
    expectProblem(await client.post(`/v1/sessions/a/${path}`, { message: "now", delivery: "reject" }), "conflict", {
      sessionId: "a",
      detail: 'conflict: a turn is running; wait until it ends, or use delivery "queue"',
    });
  });

  test("adds no event while a turn runs", async () => {
    const { client } = await busyWith();
    const before = await client.events("a");
    await client.send("a", "now", { delivery: "reject" });
    expect(await client.events("a")).toEqual(before);
  });

  test("sends the message when nothing runs", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.send("a", "now", { delivery: "reject" });
    expect(answer.status).toBe(204);
  });
});
