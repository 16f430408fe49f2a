import { describe, expect, test } from "vitest";
import type { EventData, EventType, UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";
import {
  foldEvent,
  hasRequests,
  initialState,
  isQuiet,
  pendingRequests,
  restoreState,
  statusOf,
} from "./session-state.ts";

type Body = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

const time = "2025-01-01T00:00:00.000Z";

function event(sequence: number, body: Body): UniversalEvent {
  const envelope = { session_id: "s", native_session_id: null, source: "agent", synthetic: false } as const;
  return { event_id: `evt_${sequence}`, sequence, time, ...envelope, ...body };
}

function fold(...bodies: Body[]) {
  return bodies.map((body, index) => event(index + 1, body)).reduce(foldEvent, initialState);
}

const item: UniversalItem = {
  item_id: "itm_1",
  native_item_id: null,
  parent_id: null,
  kind: "message",
  role: "assistant",
  status: "in_progress",
  content: [],
};

const sessionEnded: Body = { type: "session.ended", data: { reason: "completed", terminated_by: "agent" } };
const turnStarted: Body = {
  type: "turn.started",
  data: { phase: "started", turn_id: "turn_1", metadata: { message_id: "msg_1" } },
};
const turnEnded: Body = { type: "turn.ended", data: { phase: "ended", turn_id: "turn_1" } };
const itemStarted: Body = { type: "item.started", data: { item } };
const itemDelta: Body = { type: "item.delta", data: { item_id: "itm_1", delta: "x".repeat(100) } };
const itemCompleted: Body = { type: "item.completed", data: { item: { ...item, status: "completed" } } };
const permission = { permission_id: "p", action: "Bash(ls)", status: "requested" } as const;
const permissionRequested: Body = { type: "permission.requested", data: permission };
const question = {
  question_id: "q",
  prompt: "Which?",
  options: ["a"],
  status: "requested",
  response: null,
} as const;
const questionRequested: Body = { type: "question.requested", data: { ...question, options: ["a"] } };
const messageQueued: Body = { type: "message.queued", data: { message_id: "msg_1", message: "next" } };

describe("the fold of", () => {
  test("any event sets sequence and time", () => {
    expect(foldEvent(initialState, event(7, itemDelta))).toMatchObject({ sequence: 7, time });
  });

  test("any event keeps the native session id, once it is known", () => {
    const known = { ...event(1, itemDelta), native_session_id: "mock-s" };
    expect([known, event(2, itemDelta)].reduce(foldEvent, initialState).nativeSessionId).toBe("mock-s");
  });

  test("session.updated sets the revert, until it is undone or a turn starts", () => {
    const revert = { messageId: "msg_1", checkpointId: "chk_1" };
    const reverted: Body = { type: "session.updated", data: { metadata: { revert } } };
    const redone: Body = { type: "session.updated", data: { metadata: { revert: null } } };
    const renamed: Body = { type: "session.updated", data: { metadata: { title: "x" } } };
    expect(fold(reverted, renamed).revert).toEqual(revert);
    expect(fold(reverted, redone).revert).toBeNull();
    expect(fold(reverted, turnStarted).revert).toBeNull();
  });

  test("a fork has a pending context until its agent has answered in a turn", () => {
    const started: Body = { type: "session.started", data: { metadata: { forkedFrom: "origin" } } };
    expect(fold(started, itemStarted, itemCompleted, turnStarted, itemStarted, turnEnded).pendingForkContext).toBe(
      "origin",
    );
    expect(fold(started, turnStarted, itemStarted, itemCompleted).pendingForkContext).toBeNull();
    const fromDaemon = { ...event(3, itemCompleted), source: "daemon" as const };
    expect(
      [event(1, started), event(2, turnStarted), fromDaemon].reduce(foldEvent, initialState).pendingForkContext,
    ).toBe("origin");
  });

  test("session.started takes the settings", () => {
    const metadata = { agentMode: "plan", permissionMode: "bypass", model: "m", variant: "v", title: "t" };
    expect(fold({ type: "session.started", data: { metadata } }).settings).toEqual(metadata);
  });

  test("session.started without settings leaves the defaults", () => {
    expect(fold({ type: "session.started", data: {} }).settings).toEqual(initialState.settings);
  });

  test("session.updated changes only what it names", () => {
    const state = fold(
      { type: "session.started", data: { metadata: { model: "m", title: "t" } } },
      { type: "session.updated", data: { metadata: { title: null } } },
    );
    expect(state.settings).toEqual({ ...initialState.settings, model: "m", title: null });
  });

  test("session.ended closes everything but the queue", () => {
    const open = [turnStarted, itemStarted, permissionRequested, questionRequested, messageQueued];
    expect(fold(...open, sessionEnded)).toMatchObject({
      ended: sessionEnded.data,
      turn: null,
      openItems: {},
      permissions: [],
      questions: [],
      queue: [{ messageId: "msg_1" }],
    });
  });

  test("turn.started opens the turn", () => {
    const state = fold({ type: "session.started", data: {} }, turnStarted);
    expect(state).toMatchObject({
      turn: { turnId: "turn_1", messageId: "msg_1", firstSequence: 2 },
      turnCount: 1,
    });
  });

  test("turn.started takes its message from the queue", () => {
    const other: Body = { type: "message.queued", data: { message_id: "msg_2", message: "later" } };
    expect(fold(messageQueued, other, turnStarted).queue.map(({ messageId }) => messageId)).toEqual(["msg_2"]);
  });

  test("turn.started reopens an ended session", () => {
    expect(fold(sessionEnded, turnStarted).ended).toBeNull();
  });

  test("turn.ended closes the turn", () => {
    expect(fold(turnStarted, turnEnded).turn).toBeNull();
  });

  test("turn.ended adds its usage to the totals", () => {
    const reporting: Body = { type: "turn.ended", data: { phase: "ended", metadata: { usage: { input_tokens: 5 } } } };
    expect(fold(turnStarted, reporting, turnStarted, reporting).usage).toEqual({ input_tokens: 10 });
  });

  test("item.started opens the item", () => {
    const state = fold(turnStarted, itemStarted);
    expect(state.openItems).toEqual({ itm_1: { item, sequence: 2, hasDelta: false } });
    expect(state.itemCount).toBe(1);
  });

  test("item.delta marks the item as having a delta", () => {
    expect(fold(itemStarted, itemDelta).openItems.itm_1?.hasDelta).toBe(true);
  });

  test("item.delta of an item that is not open changes nothing", () => {
    expect(fold(itemDelta).openItems).toEqual({});
  });

  test("item.completed closes the item", () => {
    const state = fold(itemStarted, itemCompleted);
    expect(state.openItems).toEqual({});
    expect(state.itemCount).toBe(1);
  });

  test("permission.requested opens the permission", () => {
    expect(fold(permissionRequested).permissions).toEqual([permission]);
  });

  test("permission.resolved closes that permission alone", () => {
    const other: Body = { type: "permission.requested", data: { ...permission, permission_id: "other" } };
    const resolved: Body = { type: "permission.resolved", data: { ...permission, status: "approved" } };
    expect(fold(permissionRequested, other, resolved).permissions).toEqual([other.data]);
  });

  test("permission.resolved remembers what is always allowed, once", () => {
    const resolved: Body = {
      type: "permission.resolved",
      data: { ...permission, status: "approved", metadata: { reply: "always" } },
    };
    expect(fold(permissionRequested, resolved, permissionRequested, resolved).always).toEqual(["Bash(ls)", "Bash"]);
  });

  test.each(["once", "reject"])("permission.resolved remembers nothing for the reply %s", (reply) => {
    const resolved: Body = {
      type: "permission.resolved",
      data: { ...permission, status: "approved", metadata: { reply } },
    };
    expect(fold(permissionRequested, resolved).always).toEqual([]);
  });

  test("question.requested opens the question", () => {
    expect(fold(questionRequested).questions).toEqual([question]);
  });

  test("question.resolved closes that question alone", () => {
    const other: Body = { type: "question.requested", data: { ...question, question_id: "other", options: [] } };
    const resolved: Body = { type: "question.resolved", data: { ...question, options: [], status: "answered" } };
    expect(fold(questionRequested, other, resolved).questions).toEqual([other.data]);
  });

  test("message.queued adds to the end of the queue", () => {
    const attachments = [{ path: "/a" }];
    const second: Body = { type: "message.queued", data: { message_id: "msg_2", message: "later", attachments } };
    expect(fold(messageQueued, second).queue).toEqual([
      { messageId: "msg_1", message: "next", queuedAt: Date.parse(time) },
      { messageId: "msg_2", message: "later", attachments, queuedAt: Date.parse(time) },
    ]);
  });

  test("message.cancelled takes the message from the queue", () => {
    expect(fold(messageQueued, { type: "message.cancelled", data: { message_id: "msg_1" } }).queue).toEqual([]);
  });

  test.each<Body>([
    { type: "error", data: { message: "broken" } },
    { type: "agent.unparsed", data: { error: "no JSON", location: "stdout" } },
  ])("$type changes nothing else", (body) => {
    expect(fold(body)).toEqual({ ...initialState, sequence: 1, time });
  });
});

describe("a session is", () => {
  test("idle before its first turn", () => {
    expect(statusOf(fold({ type: "session.started", data: {} }))).toBe("idle");
  });

  test("running in a turn", () => {
    expect(statusOf(fold(turnStarted))).toBe("running");
  });

  test.each([permissionRequested, questionRequested])("waiting in a turn with an open $type", (requested) => {
    expect(statusOf(fold(turnStarted, requested))).toBe("waiting");
  });

  test("idle after its turn, even with a request left open", () => {
    expect(statusOf(fold(turnStarted, permissionRequested, turnEnded))).toBe("idle");
  });

  test("ended after its end", () => {
    expect(statusOf(fold(turnStarted, sessionEnded))).toBe("ended");
  });

  test("running again when it is reopened", () => {
    expect(statusOf(fold(turnStarted, sessionEnded, turnStarted))).toBe("running");
  });
});

describe("a session is quiet", () => {
  test("between turns", () => {
    expect(isQuiet(fold(turnStarted, turnEnded))).toBe(true);
  });

  test("not in a turn", () => {
    expect(isQuiet(fold(turnStarted))).toBe(false);
  });

  test("not with a message in its queue", () => {
    expect(isQuiet(fold(turnStarted, messageQueued, turnEnded))).toBe(false);
  });
});

describe("open requests", () => {
  test("are those without an answer", () => {
    const state = fold(permissionRequested, questionRequested);
    expect(pendingRequests(state)).toEqual({ permissions: [permission], questions: [question] });
  });

  test.each([permissionRequested, questionRequested])("are there with $type", (requested) => {
    expect(hasRequests(fold(requested))).toBe(true);
  });

  test("are empty without a request", () => {
    expect(hasRequests(fold(turnStarted))).toBe(false);
  });
});

describe("a stored state", () => {
  test("of an older version gets the initial values of newer fields", () => {
    expect(restoreState({ sequence: 7, itemCount: 2 })).toEqual({ ...initialState, sequence: 7, itemCount: 2 });
  });

  test("keeps the fork context that is pending, also under its former name", () => {
    expect(restoreState({ pendingForkContext: "origin" }).pendingForkContext).toBe("origin");
    expect(restoreState({ untoldFork: "origin" })).toEqual({ ...initialState, pendingForkContext: "origin" });
  });
});

describe("the state stays small", () => {
  test("after ten thousand deltas", () => {
    const deltas = Array.from({ length: 10_000 }, () => itemDelta);
    expect(JSON.stringify(fold(turnStarted, itemStarted, ...deltas)).length).toBeLessThan(1000);
  });

  test("after a thousand turns", () => {
    const turn = [turnStarted, itemStarted, itemDelta, itemCompleted, turnEnded];
    const turns = Array.from({ length: 1000 }, () => turn).flat();
    expect(JSON.stringify(fold(...turns)).length).toBeLessThan(1000);
  });
});
