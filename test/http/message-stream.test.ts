/** The stream of one message: its turn from the start to the first event that ends it or needs the client. */
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";

const path = "/v1/sessions/a/messages/stream";

async function streamOf(message: string): Promise<string[]> {
  const client = await startTestClient();
  await client.create("a");
  return outline(await client.stream("a", message));
}

describe("the stream of a message", () => {
  test("is an event stream that proxies must not buffer", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { response } = await client.open(path, { method: "POST", body: { message: "hello" } });
    const names = ["content-type", "cache-control", "x-accel-buffering"];
    expect(names.map((name) => response.headers.get(name))).toEqual(["text/event-stream", "no-cache", "no"]);
  });

  test("has the id of the message, which is also in its turn", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open(path, { method: "POST", body: { message: "hello" } });
    const [first] = await reader.take(1);
    expect(first?.event.data).toMatchObject({ metadata: { message_id: reader.response.headers.get("x-message-id") } });
  });

  test("gives each frame its sequence as id, so that the session's stream can go on from it", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open(path, { method: "POST", body: { message: "hello" } });
    const frames = await reader.rest();
    expect(frames.map(({ id }) => id)).toEqual(frames.map(({ event }) => `${event.sequence}`));
  });

  test("has nothing of the turns before it", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "first");
    const [first] = await client.stream("a", "second");
    expect(first).toMatchObject({ type: "turn.started", sequence: 9, data: { turn_id: "turn_2" } });
  });

  test.each(["include_raw=true", "includeRaw=true"])("has the agent's own messages with %s", async (query) => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open(`${path}?${query}`, { method: "POST", body: { message: "unparsed" } });
    const frames = await reader.rest();
    expect(frames.at(-1)?.event.raw).toEqual({ mock: "unparsed" });
  });
});

describe("the stream closes after", () => {
  const user = [
    "turn.started",
    "item.started message user in_progress mock_1_user",
    "item.completed message user completed mock_1_user",
  ];

  test("turn.ended", async () => {
    expect(await streamOf("hello")).toEqual([
      ...user,
      "item.started message assistant in_progress mock_1_reply",
      "item.delta mock_1_reply",
      "item.completed message assistant completed mock_1_reply",
      "turn.ended completed",
    ]);
  });

  test("session.ended", async () => {
    expect(await streamOf("end")).toEqual([...user, "session.ended completed agent"]);
  });

  test("error", async () => {
    expect(await streamOf("error")).toEqual([...user, "error mock_error"]);
  });

  test("agent.unparsed", async () => {
    expect(await streamOf("unparsed")).toEqual([...user, "agent.unparsed mock.stream"]);
  });

  test("permission.requested", async () => {
    expect(await streamOf("permission")).toEqual([...user, "permission.requested mock_1_permission command_execution"]);
  });

  test("question.requested", async () => {
    expect(await streamOf("question")).toEqual([...user, "question.requested mock_1_question"]);
  });
});

test("the rest of a turn that stopped at a request follows on the session's stream", async () => {
  const client = await startTestClient();
  await client.create("a");
  const events = await client.stream("a", "permission1");
  await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
  const reader = await client.open(`/v1/sessions/a/events/sse?offset=${events.at(-1)?.sequence}`);
  const frames = await reader.until(({ type }) => type === "turn.ended");
  expect(outline(frames.map(({ event }) => event))).toEqual([
    "permission.resolved mock_1_permission approved",
    "item.started message assistant in_progress mock_1_answered",
    "item.delta mock_1_answered",
    "item.completed message assistant completed mock_1_answered",
    "turn.ended completed",
  ]);
});

test("a turn continues when its reader disconnects", async () => {
  const client = await startTestClient();
  await client.create("a");
  const reader = await client.open(path, { method: "POST", body: { message: "slow 5 20" } });
  await reader.take(1);
  await reader.close();
  await client.wait("a");
  expect(outline(await client.events("a")).at(-1)).toBe("turn.ended completed");
});
