import { describe, expect, test } from "vitest";
import type { ContentPart } from "./content.ts";
import type { EventData, EventType, UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";
import { type CheckOptions, checkEvents } from "./wellformed.ts";

type Body = { [T in EventType]: { type: T; data: EventData<T>; synthetic?: boolean } }[EventType];

function eventsOf(...bodies: Body[]): UniversalEvent[] {
  const envelope = { session_id: "s", native_session_id: null, source: "agent", synthetic: false } as const;
  const time = "2025-01-01T00:00:00.000Z";
  return bodies.map((body, index) => ({
    event_id: `evt_${index + 1}`,
    sequence: index + 1,
    time,
    ...envelope,
    ...body,
  }));
}

/** The same events, but for some envelope fields of the last one. */
function withLast(events: UniversalEvent[], change: Partial<Pick<UniversalEvent, "event_id" | "sequence" | "time">>) {
  return events.map((event, index) => (index === events.length - 1 ? { ...event, ...change } : event));
}

function started(id: string, change: Partial<UniversalItem> = {}): Body {
  return { type: "item.started", data: { item: { ...item(id), status: "in_progress", ...change } } };
}

function delta(id: string): Body {
  return { type: "item.delta", data: { item_id: id, delta: "words" } };
}

function completed(id: string, change: Partial<UniversalItem> = {}): Body {
  return { type: "item.completed", data: { item: { ...item(id), ...change } } };
}

function item(id: string): UniversalItem {
  return {
    item_id: id,
    native_item_id: null,
    parent_id: null,
    kind: "message",
    role: "assistant",
    status: "completed",
    content: [],
  };
}

const words: ContentPart[] = [{ type: "text", text: "words" }];
const toolCall: ContentPart = { type: "tool_call", name: "ls", arguments: "{}", call_id: "1" };
const toolResult: ContentPart = { type: "tool_result", call_id: "1", output: "" };

const sessionStarted: Body = { type: "session.started", data: {} };
const sessionUpdated: Body = { type: "session.updated", data: { metadata: {} } };
const sessionEnded: Body = { type: "session.ended", data: { reason: "completed", terminated_by: "agent" } };
const turnStarted: Body = { type: "turn.started", data: { phase: "started", turn_id: "turn_1" } };
const turnEnded: Body = { type: "turn.ended", data: { phase: "ended", turn_id: "turn_1" } };
const userItem = [started("user", { role: "user" }), completed("user", { role: "user", content: words })];
const message = [started("a"), delta("a"), completed("a", { content: words })];
const failure: Body = { type: "error", data: { message: "broken" } };
const unparsed: Body = { type: "agent.unparsed", data: { error: "no JSON", location: "stdout" } };

const permission: EventData<"permission.requested"> = { permission_id: "p", action: "edit", status: "requested" };
const permissionRequested: Body = { type: "permission.requested", data: permission };
const permissionResolved: Body = {
  type: "permission.resolved",
  data: { ...permission, status: "approved" },
  synthetic: true,
};
const question: EventData<"question.requested"> = {
  question_id: "q",
  prompt: "Which?",
  options: ["a"],
  status: "requested",
  response: null,
};
const questionRequested: Body = { type: "question.requested", data: question };
const questionResolved: Body = {
  type: "question.resolved",
  data: { ...question, status: "answered", response: "a" },
  synthetic: true,
};

const opening = [sessionStarted, turnStarted, ...userItem];

function rulesBrokenBy(events: UniversalEvent[], options?: CheckOptions): string[] {
  return checkEvents(events, options).map(({ rule }) => rule);
}

describe("these histories are well-formed:", () => {
  test.each<[string, Body[]]>([
    ["none at all", []],
    ["a plain reply", [...opening, ...message, turnEnded]],
    ["a message without text, which needs no delta", [...opening, started("a"), completed("a"), turnEnded]],
    [
      "a tool call and its result",
      [
        ...opening,
        started("c", { kind: "tool_call" }),
        completed("c", { kind: "tool_call", content: [toolCall] }),
        started("r", { kind: "tool_result", role: "tool" }),
        completed("r", { kind: "tool_result", role: "tool", content: [toolResult], status: "failed" }),
        turnEnded,
      ],
    ],
    [
      "an item of a subagent",
      [
        ...opening,
        started("c", { kind: "tool_call" }),
        started("sub", { parent_id: "c" }),
        completed("sub", { parent_id: "c" }),
        completed("c", { kind: "tool_call" }),
        turnEnded,
      ],
    ],
    [
      "requests that are answered",
      [...opening, permissionRequested, permissionResolved, questionRequested, questionResolved, turnEnded],
    ],
    [
      "a turn that the agent began, which has no message of the user",
      [
        sessionStarted,
        { type: "turn.started", data: { phase: "started", turn_id: "turn_1", metadata: { origin: "agent" } } },
        ...message,
        turnEnded,
      ],
    ],
    ["a session that ends inside a turn", [...opening, sessionEnded]],
    [
      "a session that is reopened",
      [
        ...opening,
        sessionEnded,
        sessionUpdated,
        turnStarted,
        started("user2", { role: "user" }),
        completed("user2", { role: "user" }),
        turnEnded,
      ],
    ],
    [
      "a queue that is emptied at the end",
      [
        sessionStarted,
        { type: "message.queued", data: { message_id: "m", message: "next" } },
        sessionEnded,
        { type: "message.cancelled", data: { message_id: "m" } },
      ],
    ],
  ])("%s", (_, bodies) => {
    expect(checkEvents(eventsOf(...bodies), { finished: true })).toEqual([]);
  });

  test("an unparsed message, where it is expected", () => {
    expect(checkEvents(eventsOf(sessionStarted, unparsed), { allowUnparsed: true })).toEqual([]);
  });

  test("a request left open, where it is expected", () => {
    const events = eventsOf(...opening, permissionRequested, questionRequested, turnEnded);
    expect(checkEvents(events, { allowOpenRequests: true, finished: true })).toEqual([]);
  });

  test("a turn that still runs, unless the history is finished", () => {
    expect(checkEvents(eventsOf(...opening, started("a"), permissionRequested))).toEqual([]);
  });

  test("a turn without an id", () => {
    const bodies: Body[] = [
      sessionStarted,
      { type: "turn.started", data: { phase: "started" } },
      ...userItem,
      { type: "turn.ended", data: { phase: "ended" } },
    ];
    expect(checkEvents(eventsOf(...bodies))).toEqual([]);
  });
});

describe("the envelope", () => {
  test("fits the schema", () => {
    expect(rulesBrokenBy(withLast(eventsOf(sessionStarted), { time: "yesterday" }))).toEqual(["schema"]);
  });

  test("has no gap in its sequence", () => {
    const events = withLast(eventsOf(sessionStarted, sessionUpdated), { sequence: 3 });
    expect(rulesBrokenBy(events)).toEqual(["sequence"]);
  });

  test("has an id of its own", () => {
    const events = withLast(eventsOf(sessionStarted, sessionUpdated), { event_id: "evt_1" });
    expect(rulesBrokenBy(events)).toEqual(["event-id"]);
  });

  test("belongs to one session", () => {
    const [first, second] = eventsOf(sessionStarted, sessionUpdated);
    const events = first && second ? [first, { ...second, session_id: "other" }] : [];
    expect(rulesBrokenBy(events)).toEqual(["session-id"]);
  });
});

describe("each rule reports a violation:", () => {
  test.each<[string, string, Body[]]>([
    ["session-started", "a session begins with something else", [sessionUpdated]],
    ["session-started", "a session starts twice", [sessionStarted, sessionStarted]],
    ["after-end", "an error after the end", [sessionStarted, sessionEnded, failure]],
    ["user-item", "a turn begins without the user's message", [sessionStarted, turnStarted, failure]],
    [
      "user-item",
      "the user's message is not completed at once",
      [sessionStarted, turnStarted, started("user", { role: "user" }), failure],
    ],

    ["turn", "a turn starts inside a turn", [...opening, turnStarted]],
    ["turn", "a turn ends that never started", [sessionStarted, turnEnded]],
    ["turn", "another turn ends", [...opening, { type: "turn.ended", data: { phase: "ended", turn_id: "turn_2" } }]],

    ["item", "an item starts twice", [...opening, started("a"), started("a")]],
    ["item", "an item starts as completed", [...opening, started("a", { status: "completed" })]],
    ["item", "a delta of an item that never started", [...opening, delta("a")]],
    ["item", "a delta of an item that is completed", [...opening, ...message, delta("a")]],
    ["item", "an item is completed twice", [...opening, ...message, completed("a")]],
    ["item", "an item is completed that never started", [...opening, completed("a")]],
    [
      "item",
      "an item is completed as in progress",
      [...opening, started("a"), completed("a", { status: "in_progress" })],
    ],
    ["item", "an item changes its kind", [...opening, started("a"), completed("a", { kind: "status" })]],
    ["delta", "a user message is streamed", [...opening, started("u", { role: "user" }), delta("u")]],
    ["delta", "a message has text but no delta", [...opening, started("a"), completed("a", { content: words })]],
    ["parent", "an item belongs to an unknown one", [...opening, started("a", { parent_id: "nobody" })]],
    ["parent", "an item belongs to itself", [...opening, started("a", { parent_id: "a" })]],
    [
      "tool-item",
      "a tool call is part of a message",
      [...opening, started("a"), completed("a", { content: [toolCall] })],
    ],
    [
      "tool-item",
      "a tool result is part of a tool call",
      [...opening, started("a", { kind: "tool_call" }), completed("a", { kind: "tool_call", content: [toolResult] })],
    ],
    ["open-item", "an item is open when its turn ends", [...opening, started("a"), turnEnded]],
    ["open-item", "an item is open when the session ends", [...opening, started("a"), sessionEnded]],

    ["request", "a permission is requested twice", [...opening, permissionRequested, permissionRequested]],
    ["request", "a question is requested twice", [...opening, questionRequested, questionRequested]],
    [
      "request",
      "a permission is requested as approved",
      [...opening, { type: "permission.requested", data: { ...permission, status: "approved" } }],
    ],
    [
      "request",
      "a question is requested as answered",
      [...opening, { type: "question.requested", data: { ...question, status: "answered" } }],
    ],
    ["request", "a permission is resolved that is not open", [...opening, permissionResolved]],
    ["request", "a question is resolved that is not open", [...opening, questionResolved]],
    [
      "request",
      "a permission is resolved as requested",
      [...opening, permissionRequested, { type: "permission.resolved", data: permission, synthetic: true }],
    ],
    [
      "request",
      "a question is resolved as requested",
      [...opening, questionRequested, { type: "question.resolved", data: question, synthetic: true }],
    ],
    [
      "request",
      "the agent itself resolves a permission",
      [...opening, permissionRequested, { ...permissionResolved, synthetic: false }],
    ],
    [
      "request",
      "the agent itself resolves a question",
      [...opening, questionRequested, { ...questionResolved, synthetic: false }],
    ],
    ["open-request", "a permission is open when its turn ends", [...opening, permissionRequested, turnEnded]],
    ["open-request", "a question is open when its turn ends", [...opening, questionRequested, turnEnded]],
    ["open-request", "a permission is open when the session ends", [...opening, permissionRequested, sessionEnded]],
    ["unparsed", "a message of the agent was not understood", [sessionStarted, unparsed]],
  ])("%s: %s", (rule, _, bodies) => {
    expect(rulesBrokenBy(eventsOf(...bodies))).toEqual([rule]);
  });

  test.each(["AskUserQuestion", "ask_user_question", "ask-user-question", "ExitPlanMode", "exit_plan_mode"])(
    "question-tool: %s asks for a permission",
    (action) => {
      const requested: Body = { type: "permission.requested", data: { ...permission, action } };
      expect(rulesBrokenBy(eventsOf(...opening, requested))).toEqual(["question-tool"]);
    },
  );
});

describe("a finished history leaves open", () => {
  test("no turn", () => {
    expect(rulesBrokenBy(eventsOf(...opening), { finished: true })).toEqual(["turn"]);
  });

  test("no item", () => {
    expect(rulesBrokenBy(eventsOf(sessionStarted, started("a")), { finished: true })).toEqual(["open-item"]);
  });

  test("no request", () => {
    expect(rulesBrokenBy(eventsOf(sessionStarted, permissionRequested), { finished: true })).toEqual(["open-request"]);
  });
});

test("a violation names the event that caused it", () => {
  expect(checkEvents(eventsOf(sessionStarted, unparsed))).toEqual([
    { sequence: 2, rule: "unparsed", message: "stdout: no JSON" },
  ]);
});
