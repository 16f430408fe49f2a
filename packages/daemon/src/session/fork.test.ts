import {
  type ContentPart,
  type Transcript,
  transcriptOf,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { forkEvents, forkTitle } from "./fork.ts";
import type { EventBody } from "./normalize.ts";

const turnStarted = (turn_id: string): EventBody => ({
  type: "turn.started",
  data: { phase: "started", turn_id },
  synthetic: false,
});
const turnEnded = (turn_id: string, metadata = {}): EventBody => ({
  type: "turn.ended",
  data: { phase: "ended", turn_id, metadata },
  synthetic: false,
});

function item(id: string, role: UniversalItem["role"], change: Partial<UniversalItem> = {}): EventBody[] {
  const content: ContentPart[] = [{ type: "text", text: `text of ${id}` }];
  const whole: UniversalItem = {
    item_id: id,
    native_item_id: `native ${id}`,
    parent_id: null,
    kind: "message",
    role,
    content,
    status: "completed",
    ...change,
  };
  return [
    { type: "item.started", data: { item: { ...whole, status: "in_progress" } }, synthetic: false },
    { type: "item.completed", data: { item: whole }, synthetic: false },
  ];
}

/** Two turns that have ended, with an item between them, and a running one. */
const bodies: EventBody[] = [
  { type: "session.started", data: {}, synthetic: true },
  turnStarted("turn_1"),
  ...item("a", "user"),
  ...item("b", "assistant"),
  ...item("c", "tool", { kind: "tool_call", parent_id: "b", status: "failed" }),
  turnEnded("turn_1", { reason: "completed" }),
  ...item("between", "assistant"),
  turnStarted("turn_2"),
  ...item("d", "assistant", { content: [] }),
  turnEnded("turn_2"),
  turnStarted("turn_3"),
  ...item("e", "user"),
];

function transcript(events: readonly EventBody[] = bodies): Transcript {
  return transcriptOf(events.map(eventOf));
}

function eventOf(body: EventBody, index: number): UniversalEvent {
  return {
    ...body,
    event_id: `evt_${index + 1}`,
    sequence: index + 1,
    time: "2026-01-01T00:00:00.000Z",
    session_id: "s",
    native_session_id: null,
    source: "agent",
  };
}

describe("the first events of a fork", () => {
  test("are every turn that has ended, with new item ids, without items between turns", () => {
    const events = forkEvents(transcript(), null);
    expect(events.map((body) => [body.type, idOf(body)])).toEqual([
      ["turn.started", "turn_1"],
      ["item.started", "itm_1"],
      ["item.completed", "itm_1"],
      ["item.started", "itm_2"],
      ["item.delta", "itm_2"],
      ["item.completed", "itm_2"],
      ["item.started", "itm_3"],
      ["item.completed", "itm_3"],
      ["turn.ended", "turn_1"],
      ["turn.started", "turn_2"],
      ["item.started", "itm_4"],
      ["item.completed", "itm_4"],
      ["turn.ended", "turn_2"],
    ]);
    expect(events.every(({ synthetic }) => synthetic)).toBe(true);
  });

  test("fold to the same conversation as the original", () => {
    const { items, turns } = transcript(forkEvents(transcript(), null));
    expect(items.map(({ role, kind, status, content }) => ({ role, kind, status, content }))).toEqual(
      transcript()
        .items.filter(({ item_id }) => ["a", "b", "c", "d"].includes(item_id))
        .map(({ role, kind, status, content }) => ({ role, kind, status, content })),
    );
    expect(items.map(({ parent_id, native_item_id }) => [parent_id, native_item_id])).toEqual([
      [null, null],
      [null, null],
      ["itm_2", null],
      [null, null],
    ]);
    // A turn without a reason has failed.
    expect(turns.map(({ reason }) => reason)).toEqual(["completed", "failed"]);
  });

  test("stream the agent's messages; other items have their content from the start", () => {
    const started = forkEvents(transcript(), null).flatMap((body) =>
      body.type === "item.started" ? [body.data.item] : [],
    );
    expect(started.map(({ status, content }) => [status, content.length])).toEqual([
      ["in_progress", 1],
      ["in_progress", 0],
      ["in_progress", 1],
      ["in_progress", 0],
    ]);
  });

  test("have the message id of a user's turn, and the origin of an agent's turn", () => {
    const metadata = forkEvents(transcript(), null).flatMap((body) =>
      body.type === "turn.started" ? [body.data.metadata] : [],
    );
    expect(metadata).toEqual([{ message_id: expect.stringMatching(/^msg_/) }, { origin: "agent" }]);
  });

  test("end with the requested turn, counted from the first turn of the session", () => {
    const turnsIn = (lastTurn: number, from = transcript()) =>
      forkEvents(from, lastTurn).filter(({ type }) => type === "turn.ended").length;
    expect([0, 1, 2, 3].map((last) => turnsIn(last))).toEqual([0, 1, 2, 2]);
    const whole = transcript();
    const shortened = { ...whole, turns: whole.turns.slice(1) };
    expect([1, 2, 3].map((last) => turnsIn(last, shortened))).toEqual([0, 1, 1]);
  });
});

test.each([
  [null, null],
  ["mine", "mine (fork #1)"],
  ["mine (fork #1)", "mine (fork #2)"],
  ["two\nlines (fork #9)", "two\nlines (fork #10)"],
  ["mine (fork #1) again", "mine (fork #1) again (fork #1)"],
])("the fork of %j is called %j", (title, expected) => {
  expect(forkTitle(title)).toBe(expected);
});

function idOf(body: EventBody): string | null | undefined {
  if (body.type === "turn.started" || body.type === "turn.ended") return body.data.turn_id;
  if (body.type === "item.delta") return body.data.item_id;
  return body.type === "item.started" || body.type === "item.completed" ? body.data.item.item_id : undefined;
}
