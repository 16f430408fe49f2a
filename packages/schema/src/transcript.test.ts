import { describe, expect, test } from "vitest";
import type { ContentPart } from "./content.ts";
import type { EventData, EventType, UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";
import { TranscriptResponse } from "./session.ts";
import { applyEvent, emptyTranscript, transcriptOf, transcriptResponse } from "./transcript.ts";

type Body = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

function eventsOf(...bodies: Body[]): UniversalEvent[] {
  const envelope = { session_id: "s", native_session_id: null, source: "agent", synthetic: false } as const;
  const time = "2025-01-01T00:00:00.000Z";
  return bodies.map((body, index) => ({ event_id: `evt_${index}`, sequence: index + 1, time, ...envelope, ...body }));
}

function transcript(...bodies: Body[]) {
  return transcriptOf(eventsOf(...bodies));
}

function item(id: string, status: UniversalItem["status"], content: ContentPart[]): UniversalItem {
  return { item_id: id, native_item_id: null, parent_id: null, kind: "message", role: "assistant", status, content };
}

function started(id: string, ...content: ContentPart[]): Body {
  return { type: "item.started", data: { item: item(id, "in_progress", content) } };
}

function delta(id: string, words: string): Body {
  return { type: "item.delta", data: { item_id: id, delta: words } };
}

function completed(id: string, ...content: ContentPart[]): Body {
  return { type: "item.completed", data: { item: item(id, "completed", content) } };
}

function text(words: string): ContentPart {
  return { type: "text", text: words };
}

function turnStarted(turnId: string): Body {
  const metadata = { message_id: `msg of ${turnId}` };
  return { type: "turn.started", data: { phase: "started", turn_id: turnId, metadata } };
}

function turnEnded(turnId: string, metadata?: EventData<"turn.ended">["metadata"]): Body {
  return { type: "turn.ended", data: { phase: "ended", turn_id: turnId, metadata } };
}

describe("the items of a transcript", () => {
  test("are in the order in which they began", () => {
    const { items } = transcript(started("a"), started("b"), completed("b"), completed("a"));
    expect(items.map(({ item_id }) => item_id)).toEqual(["a", "b"]);
  });

  test("have the sequence of their start and their turn", () => {
    const { items } = transcript(turnStarted("turn_1"), started("a"), turnEnded("turn_1"), started("b"));
    expect(items).toMatchObject([
      { sequence: 2, turn_id: "turn_1" },
      { sequence: 4, turn_id: null },
    ]);
  });

  test.each<[string, ContentPart, ContentPart]>([
    ["text", text("ab"), text("abc")],
    [
      "reasoning",
      { type: "reasoning", text: "ab", visibility: "public" },
      { type: "reasoning", text: "abc", visibility: "public" },
    ],
    [
      "a tool result",
      { type: "tool_result", call_id: "1", output: "ab" },
      { type: "tool_result", call_id: "1", output: "abc" },
    ],
  ])("grow by the deltas of %s", (_, before, after) => {
    const { items } = transcript(started("a", before), delta("a", "c"));
    expect(items[0]?.content).toEqual([after]);
  });

  test("grow each by its own deltas", () => {
    const { items } = transcript(started("a"), started("b"), delta("a", "1"), delta("b", "2"), delta("a", "3"));
    expect(items.map(({ content }) => content)).toEqual([[text("13")], [text("2")]]);
  });

  test("have the content of their completion in the end", () => {
    const { items } = transcript(started("a"), delta("a", "draft"), completed("a", text("final")));
    expect(items).toMatchObject([{ status: "completed", content: [text("final")], sequence: 1 }]);
  });

  test("are new objects when they change", () => {
    const whole = emptyTranscript();
    const [start, change] = eventsOf(started("a"), delta("a", "x"));
    if (start) applyEvent(whole, start);
    const before = whole.items[0];
    if (change) applyEvent(whole, change);
    expect(whole.items[0]).not.toBe(before);
  });
});

describe("the turns of a transcript", () => {
  test("run until they end", () => {
    expect(transcript(turnStarted("turn_1"), started("a")).turns).toEqual([
      {
        turnId: "turn_1",
        messageId: "msg of turn_1",
        firstSequence: 1,
        lastSequence: null,
        reason: null,
        usage: null,
      },
    ]);
  });

  test("end with reason and usage", () => {
    const metadata = { reason: "aborted", usage: { input_tokens: 3 } } as const;
    expect(transcript(turnStarted("turn_1"), turnEnded("turn_1", metadata)).turns).toMatchObject([
      { firstSequence: 1, lastSequence: 2, ...metadata },
    ]);
  });

  test("end without either where none is given", () => {
    expect(transcript(turnStarted("turn_1"), turnEnded("turn_1")).turns).toMatchObject([
      { lastSequence: 2, reason: null, usage: null },
    ]);
  });

  test("end with the session", () => {
    const ended: Body = { type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" } };
    expect(transcript(turnStarted("turn_1"), ended).turns).toMatchObject([{ lastSequence: 2, reason: "terminated" }]);
  });

  test("end once", () => {
    const ended: Body = { type: "session.ended", data: { reason: "completed", terminated_by: "agent" } };
    const aborted = turnEnded("turn_1", { reason: "aborted" });
    expect(transcript(turnStarted("turn_1"), aborted, ended).turns).toMatchObject([
      { lastSequence: 2, reason: "aborted" },
    ]);
  });

  test("follow each other", () => {
    const { turns } = transcript(turnStarted("turn_1"), turnEnded("turn_1"), turnStarted("turn_2"));
    expect(turns.map(({ turnId, firstSequence }) => [turnId, firstSequence])).toEqual([
      ["turn_1", 1],
      ["turn_2", 3],
    ]);
  });
});

test("the errors of a transcript are in order, with their codes and details", () => {
  const { errors } = transcript(
    { type: "error", data: { message: "first", code: "process_exit", details: { exit_code: 1 } } },
    { type: "error", data: { message: "second" } },
  );
  expect(errors).toEqual([
    { sequence: 1, message: "first", code: "process_exit", details: { exit_code: 1 } },
    { sequence: 2, message: "second", code: null },
  ]);
});

test("an event that comes a second time changes nothing", () => {
  const events = eventsOf(turnStarted("turn_1"), started("a"), delta("a", "x"), {
    type: "error",
    data: { message: "" },
  });
  expect(transcriptOf([...events, ...events])).toEqual(transcriptOf(events));
});

describe("a history whose beginning was removed", () => {
  test("shows an item from its completion on", () => {
    const [, , ...kept] = eventsOf(turnStarted("turn_1"), started("a"), delta("a", "x"), completed("a", text("xy")));
    expect(transcriptOf(kept).items).toMatchObject([
      { item_id: "a", status: "completed", content: [text("xy")], sequence: 4, turn_id: null },
    ]);
  });

  test("leaves out an item of which only deltas are left", () => {
    const [, ...kept] = eventsOf(started("a"), delta("a", "x"));
    expect(transcriptOf(kept).items).toEqual([]);
  });

  test("leaves out a turn of which only the end is left", () => {
    const [, ...kept] = eventsOf(turnStarted("turn_1"), turnEnded("turn_1"), turnStarted("turn_2"));
    expect(transcriptOf(kept).turns).toMatchObject([{ turnId: "turn_2", lastSequence: null }]);
  });
});

describe("requests", () => {
  test("are kept with their answers once they are resolved", () => {
    const permission = { permission_id: "p", action: "edit" };
    const question = { question_id: "q", prompt: "Which?", options: ["A", "B"] };
    const { state, resolved } = transcript(
      turnStarted("turn_1"),
      { type: "permission.requested", data: { ...permission, status: "requested" } },
      { type: "question.requested", data: { ...question, status: "requested", response: null } },
      { type: "permission.resolved", data: { ...permission, status: "approved", metadata: { reply: "once" } } },
      { type: "question.resolved", data: { ...question, status: "answered", response: "B" } },
    );
    expect(state).toMatchObject({ permissions: [], questions: [] });
    expect(resolved).toMatchObject({
      permissions: [{ permission_id: "p", status: "approved", sequence: 4 }],
      questions: [{ question_id: "q", response: "B", sequence: 5 }],
    });
  });
});

describe("the answer to a client", () => {
  const permission = { permission_id: "p", action: "edit", status: "requested" } as const;
  const answer = transcriptResponse(
    "s",
    transcript(
      turnStarted("turn_1"),
      { type: "permission.requested", data: permission },
      { type: "message.queued", data: { message_id: "msg_2", message: "next" } },
    ),
  );

  test("has the status of the session", () => {
    expect(answer).toMatchObject({
      sessionId: "s",
      status: "waiting",
      lastSequence: 3,
      requests: { permissions: [permission], questions: [] },
      queue: [{ messageId: "msg_2" }],
      usage: {},
    });
  });

  test("fits its schema", () => {
    expect(TranscriptResponse().parse(answer)).toEqual(answer);
  });
});
