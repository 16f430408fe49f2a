/** Terminating ends a session for good but keeps its history. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";

async function terminated(): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("a");
  await client.stream("a", "hello");
  await client.post("/v1/sessions/a/terminate");
  return client;
}

describe("terminating", () => {
  test("ends an idle session with session.ended by the daemon", async () => {
    const client = await terminated();
    const events = await client.events("a");
    expect(events.at(-1)).toMatchObject({
      type: "session.ended",
      source: "daemon",
      synthetic: true,
      data: { reason: "terminated", terminated_by: "daemon" },
    });
  });

  test("is answered without content, a second time too", async () => {
    const client = await startTestClient();
    await client.create("a");
    const first = await client.post("/v1/sessions/a/terminate");
    const second = await client.post("/v1/sessions/a/terminate");
    expect([first.status, second.status]).toEqual([204, 204]);
  });

  test("a second time adds no event", async () => {
    const client = await terminated();
    const before = await client.events("a");
    await client.post("/v1/sessions/a/terminate");
    expect(await client.events("a")).toEqual(before);
  });

  test("ends a running turn first", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "slow 1000 60000");
    const reader = await client.open("/v1/sessions/a/events/sse?offset=4");
    await reader.until(({ type }) => type === "item.started");
    await client.post("/v1/sessions/a/terminate");
    const frames = await reader.until(({ type }) => type === "session.ended");
    expect(outline(frames.map(({ event }) => event))).toEqual([
      "item.completed message assistant failed mock_1_slow",
      "turn.ended terminated",
      "session.ended terminated daemon",
    ]);
  });

  test("first denies what was asked, rejects what was questioned and takes queued messages back", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "permission1");
    await client.wait("a", "request");
    await client.send("a", "later");
    const { json } = await client.get("/v1/sessions/a");
    await client.post("/v1/sessions/a/terminate");
    expect(outline(await client.events("a", `?offset=${json.lastSequence}`))).toEqual([
      "message.cancelled",
      "permission.resolved mock_1_permission denied",
      "turn.ended terminated",
      "session.ended terminated daemon",
    ]);
  });

  test("rejects open questions", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "question1");
    const { json } = await client.wait("a", "request");
    await client.post("/v1/sessions/a/terminate");
    expect(outline(await client.events("a", `?offset=${json.session.lastSequence}`))).toEqual([
      "question.resolved mock_1_question rejected",
      "turn.ended terminated",
      "session.ended terminated daemon",
    ]);
  });

  test("in the middle of everything leaves a well-formed history", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "questions");
    await client.wait("a", "request");
    await client.send("a", "later");
    await client.post("/v1/sessions/a/terminate");
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });
});

describe("a terminated session", () => {
  test("is ended", async () => {
    const client = await terminated();
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toMatchObject({ ended: true, status: "ended" });
  });

  test.each(["messages", "messages/stream"])("takes no more %s", async (path) => {
    const client = await terminated();
    expectProblem(await client.post(`/v1/sessions/a/${path}`, { message: "hi" }), "invalid_request", {
      sessionId: "a",
      detail: "invalid request: the session was terminated; create a new one",
    });
  });

  test("takes no more replies", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "permission1");
    await client.wait("a", "request");
    await client.post("/v1/sessions/a/terminate");
    const answer = await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
    expectProblem(answer, "invalid_request", { sessionId: "a" });
  });

  test("has nothing to abort", async () => {
    const client = await terminated();
    const answer = await client.post("/v1/sessions/a/abort");
    expect(answer.status).toBe(204);
  });

  test("keeps its conversation", async () => {
    const client = await terminated();
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect(json.items.map(({ native_item_id }: { native_item_id: string }) => native_item_id)).toEqual([
      "mock_1_user",
      "mock_1_reply",
    ]);
  });

  test("keeps the streams of its readers open", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open("/v1/sessions/a/events/sse");
    await client.post("/v1/sessions/a/terminate");
    await reader.until(({ type }) => type === "session.ended");
    await client.patch("/v1/sessions/a", { title: "afterwards" });
    const [next] = await reader.take(1);
    expect(next?.event.type).toBe("session.updated");
  });
});
