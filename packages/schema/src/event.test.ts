import { describe, expect, test } from "vitest";
import { type EventData, type EventType, eventData, UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";

const item: UniversalItem = {
  item_id: "itm_1",
  native_item_id: null,
  parent_id: null,
  kind: "message",
  role: "assistant",
  status: "in_progress",
  content: [{ type: "text", text: "" }],
};
const permission = { permission_id: "p", action: "edit" };
const question = { question_id: "q", prompt: "Which?", options: ["a", "b"] };

const examples: { [T in EventType]: EventData<T> } = {
  "session.started": { metadata: { agent: "mock" } },
  "session.updated": { metadata: { title: "New" } },
  "session.ended": {
    reason: "error",
    terminated_by: "agent",
    message: "gone",
    exit_code: 1,
    stderr: { head: "a", tail: null, truncated: false, total_lines: 1 },
  },
  "turn.started": { phase: "started", turn_id: "turn_1" },
  "turn.ended": { phase: "ended", turn_id: "turn_1", metadata: { reason: "completed", usage: { input_tokens: 1 } } },
  "item.started": { item },
  "item.delta": { item_id: "itm_1", native_item_id: null, delta: "a" },
  "item.completed": { item: { ...item, status: "completed" } },
  "permission.requested": { ...permission, status: "requested" },
  "permission.resolved": { ...permission, status: "approved", metadata: { reply: "once" } },
  "question.requested": { ...question, status: "requested", response: null },
  "question.resolved": { ...question, status: "answered", response: "a", metadata: { answers: [["a"]] } },
  "message.queued": { message_id: "m", message: "hi", attachments: [{ path: "/a" }] },
  "message.cancelled": { message_id: "m" },
  "file.changed": { turn_id: "turn_1", changes: [{ path: "b", kind: "renamed", from: "a", call_id: "c" }] },
  error: { message: "broken", code: "mock_error", details: { mock: true } },
  "agent.unparsed": { error: "no JSON", location: "stdout", raw_hash: "abc" },
};

const envelope = {
  event_id: "evt_1",
  sequence: 1,
  time: "2025-01-01T00:00:00.000Z",
  session_id: "s",
  native_session_id: null,
  source: "agent",
  synthetic: false,
};
const unparsed = { ...envelope, type: "agent.unparsed", data: examples["agent.unparsed"] };

describe("an event", () => {
  test("has one of seventeen types", () => {
    expect(Object.keys(eventData)).toEqual(Object.keys(examples));
    expect(Object.keys(eventData)).toHaveLength(17);
  });

  test.each(Object.entries(examples))("of type %s keeps all its data", (type, data) => {
    const event = { ...envelope, type, data };
    expect(UniversalEvent().parse(event)).toEqual(event);
  });

  test("may carry the agent's own message, whatever it is", () => {
    expect(UniversalEvent().parse({ ...unparsed, raw: [1, { a: null }] }).raw).toEqual([1, { a: null }]);
  });

  test("of an unknown type is rejected", () => {
    expect(UniversalEvent().safeParse({ ...envelope, type: "session.exploded", data: {} }).success).toBe(false);
  });

  test("with the data of another type is rejected", () => {
    const event = { ...envelope, type: "item.delta", data: examples["turn.started"] };
    expect(UniversalEvent().safeParse(event).success).toBe(false);
  });

  test.each([
    ["sequence", 0],
    ["sequence", 1.5],
    ["time", "yesterday"],
    ["time", "2025-01-01T00:00:00+02:00"],
    ["source", "client"],
    ["synthetic", "no"],
    ["native_session_id", undefined],
    ["event_id", undefined],
  ])("whose %s is %j is refused", (field, value) => {
    expect(UniversalEvent().safeParse({ ...unparsed, [field]: value }).success).toBe(false);
  });
});
