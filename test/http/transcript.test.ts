/** The transcript is the fold of the events, nothing more and nothing less. */
import { transcriptOf, transcriptResponse } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";

async function folded(client: TestClient): Promise<unknown> {
  return transcriptResponse("a", transcriptOf(await client.events("a")));
}

test.each([
  ["nothing said", [], "idle"],
  ["a reply", ["hello"], "idle"],
  ["every kind of item", ["tool", "markdown", "subagent", "todo", "image", "reason"], "idle"],
  ["usage of several turns", ["usage", "usage"], "idle"],
  ["an open request and a queue", ["permission", "later"], "request"],
  ["an end", ["end"], "ended"],
  ["a crash", ["crash"], "idle"],
  ["requests that outlive their turn", ["demo"], "idle"],
])("a session with %s is the fold of its events", async (_, messages, until) => {
  const client = await startTestClient();
  await client.create("a");
  for (const message of messages) await client.send("a", message);
  await client.wait("a", until);
  const { json } = await client.get("/v1/sessions/a/transcript");
  expect(json).toEqual(await folded(client));
});

test("a session in the middle of a message is the fold of its events", async () => {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", "slow 1000 60000");
  const reader = await client.open("/v1/sessions/a/events/sse");
  await reader.until((event) => event.type === "item.started" && event.data.item.role === "assistant");
  const { json } = await client.get("/v1/sessions/a/transcript");
  expect(json).toEqual(await folded(client));
});

describe("a transcript", () => {
  test("has items, turns and errors", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "error");
    await client.wait("a");
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect(json).toEqual({
      sessionId: "a",
      status: "idle",
      lastSequence: 7,
      items: [
        {
          item_id: "itm_1",
          native_item_id: "mock_1_user",
          parent_id: null,
          kind: "message",
          role: "user",
          status: "completed",
          content: [{ type: "text", text: "error" }],
          sequence: 3,
          turn_id: "turn_1",
        },
      ],
      turns: [
        {
          turnId: "turn_1",
          messageId: expect.stringMatching(/^msg_/),
          firstSequence: 2,
          lastSequence: 7,
          reason: "completed",
          usage: null,
        },
      ],
      errors: [{ sequence: 5, message: "mock error", code: "mock_error", details: { mock: true } }],
      requests: { permissions: [], questions: [] },
      resolved: { permissions: [], questions: [] },
      queue: [],
      usage: {},
    });
  });

  test("joins the deltas of an item that is still open", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open("/v1/sessions/a/events/sse");
    await client.send("a", "slow 1000 20");
    await reader.until((event) => event.type === "item.delta" && event.data.delta === "word 2 ");
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect(json.items[1].content[0].text).toMatch(/^word 1 word 2 /);
  });
});
