import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import {
  type EventData,
  type EventType,
  foldEvent,
  initialState,
  transcriptOf,
  type UniversalEvent,
  type UniversalItem,
} from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { replayUpdates, updatesOf, type View } from "./updates.ts";

const view: View = {
  notices: true,
  catalog: {
    modes: [
      { id: "build", name: "Build", description: "Does it" },
      { id: "plan", name: "Plan", description: "Thinks about it" },
    ],
    models: { models: [{ id: "small", variants: ["low", "high"] }], defaultModel: "small" },
    permissionModes: ["default", "bypass"],
  },
};

type Body = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

function log(events: Body[]): UniversalEvent[] {
  return events.map((body, index) => ({
    event_id: `evt_${index + 1}`,
    sequence: index + 1,
    time: "2026-01-01T00:00:00.000Z",
    session_id: "s",
    native_session_id: null,
    source: "agent",
    synthetic: false,
    ...body,
  }));
}

/** The updates that a client gets live. */
function live(events: Body[], seenBy: View = view): SessionUpdate[] {
  let state = initialState;
  return log(events).flatMap((event) => {
    const before = state;
    state = foldEvent(state, event);
    return updatesOf(before, state, event, seenBy);
  });
}

/** The updates that a client gets when it loads the session afterwards. */
function loaded(events: Body[]): SessionUpdate[] {
  const { items, state } = transcriptOf(log(events));
  return replayUpdates(items, state, view);
}

function item(fields: Partial<UniversalItem>): UniversalItem {
  return {
    item_id: "itm_1",
    native_item_id: null,
    parent_id: null,
    kind: "message",
    role: "assistant",
    status: "in_progress",
    content: [],
    ...fields,
  };
}

const started = (fields: Partial<UniversalItem>): Body => ({ type: "item.started", data: { item: item(fields) } });
const completed = (fields: Partial<UniversalItem>): Body => ({
  type: "item.completed",
  data: { item: item({ status: "completed", ...fields }) },
});
const delta = (text: string): Body => ({ type: "item.delta", data: { item_id: "itm_1", delta: text } });
const words = (text: string) => ({ type: "text" as const, text });
const thought = (text: string) => ({ type: "reasoning" as const, text, visibility: "public" as const });
const chunk = (sessionUpdate: string, text: string) => ({ sessionUpdate, content: words(text), messageId: "itm_1" });

describe("a message", () => {
  const events = [started({}), delta("Hel"), delta("lo"), completed({ content: [words("Hello")] })];

  test("is sent in the pieces of its deltas, and only once", () => {
    expect(live(events)).toEqual([chunk("agent_message_chunk", "Hel"), chunk("agent_message_chunk", "lo")]);
  });

  test("comes whole when it is loaded", () => {
    expect(loaded(events)).toEqual([chunk("agent_message_chunk", "Hello")]);
  });

  test("that is not finished yet is loaded as far as it is", () => {
    expect(loaded(events.slice(0, 2))).toEqual([chunk("agent_message_chunk", "Hel")]);
  });

  test("of the user is complete as it begins", () => {
    const fields: Partial<UniversalItem> = { role: "user", content: [words("Do it")] };
    expect(live([started(fields), completed(fields)])).toEqual([chunk("user_message_chunk", "Do it")]);
    expect(loaded([started(fields), completed(fields)])).toEqual([chunk("user_message_chunk", "Do it")]);
  });

  test("that is reasoning is a thought", () => {
    const reasoning = [started({ content: [thought("")] }), delta("Hm"), completed({ content: [thought("Hm")] })];
    expect(live(reasoning)).toEqual([chunk("agent_thought_chunk", "Hm")]);
    expect(loaded(reasoning)).toEqual([chunk("agent_thought_chunk", "Hm")]);
  });

  test("brings what was not streamed when it is complete, but nothing private", () => {
    const rich = completed({
      content: [
        words("Hello"),
        thought("Why not"),
        { type: "reasoning", text: "secret", visibility: "private" },
        { type: "image", path: "/tmp/a b.png", mime: "image/png" },
      ],
    });
    expect(live([started({}), delta("Hello"), rich])).toEqual([
      chunk("agent_message_chunk", "Hello"),
      chunk("agent_thought_chunk", "Why not"),
      {
        sessionUpdate: "agent_message_chunk",
        messageId: "itm_1",
        content: { type: "resource_link", uri: "file:///tmp/a%20b.png", name: "a b.png", mimeType: "image/png" },
      },
    ]);
  });

  test("of a subagent is a thought that names its parent", () => {
    expect(live([started({ parent_id: "itm_0" }), delta("I look")])).toEqual([
      { ...chunk("agent_thought_chunk", "I look"), _meta: { sandboxagent: { parentItemId: "itm_0" } } },
    ]);
  });
});

describe("a tool", () => {
  const call = { type: "tool_call", name: "bash", arguments: '{"command":"ls -la"}', call_id: "c1" } as const;
  const face = { toolCallId: "c1", name: "bash", kind: "execute", title: "ls -la", locations: [] };
  const events = [
    started({ kind: "tool_call", content: [call] }),
    completed({ kind: "tool_call", content: [call] }),
    started({ item_id: "itm_2", kind: "tool_result", role: "tool" }),
    completed({
      item_id: "itm_2",
      kind: "tool_result",
      role: "tool",
      status: "failed",
      content: [
        { type: "tool_result", call_id: "c1", output: "no" },
        {
          type: "file_ref",
          path: "/a.ts",
          action: "patch",
          diff: "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n",
        },
      ],
    }),
  ];
  const result = {
    sessionUpdate: "tool_call_update",
    toolCallId: "c1",
    status: "failed",
    rawOutput: "no",
    locations: [{ path: "/a.ts" }],
    content: [
      { type: "content", content: words("no") },
      { type: "diff", path: "/a.ts", oldText: "old\nsame\n", newText: "new\nsame\n" },
    ],
  };

  test("is one thing from its call to its result", () => {
    expect(live(events)).toEqual([
      { sessionUpdate: "tool_call", status: "pending", rawInput: { command: "ls -la" }, ...face },
      { sessionUpdate: "tool_call_update", status: "in_progress", rawInput: { command: "ls -la" }, ...face },
      result,
    ]);
  });

  test("is announced once when it is loaded", () => {
    expect(loaded(events)).toEqual([
      { sessionUpdate: "tool_call", status: "in_progress", rawInput: { command: "ls -la" }, ...face },
      result,
    ]);
  });

  test("shows arguments that are still being written as text", () => {
    const half = { ...call, arguments: '{"comm' };
    expect(live([started({ kind: "tool_call", content: [half] })])).toMatchObject([
      { rawInput: '{"comm', title: "bash" },
    ]);
  });
});

describe("notes", () => {
  const todos = [
    { content: "one", status: "completed" },
    { content: "two", status: "cancelled" },
    { content: "three", status: "open" },
  ];

  test("with todos are the plan", () => {
    expect(live([started({ kind: "status", role: null, content: [{ type: "json", json: { todos } }] })])).toEqual([
      {
        sessionUpdate: "plan",
        entries: [
          { content: "one", priority: "medium", status: "completed" },
          { content: "two", priority: "medium", status: "completed" },
          { content: "three", priority: "medium", status: "pending" },
        ],
      },
    ]);
  });

  test("are notices for clients that show them", () => {
    const status = started({
      kind: "status",
      role: null,
      content: [{ type: "status", label: "Busy", detail: "very" }],
    });
    const system = completed({ item_id: "itm_2", kind: "system", role: "system", content: [words("Attention")] });
    expect(live([status, system])).toEqual([
      { sessionUpdate: "notice", severity: "info", title: "Busy", description: "very" },
      { sessionUpdate: "notice", severity: "info", title: "Attention" },
    ]);
    expect(live([status, system], { ...view, notices: false })).toEqual([]);
  });
});

describe("a session", () => {
  test("that changes its settings sends mode, title and options", () => {
    const [info, mode, options] = live([
      { type: "session.updated", data: { metadata: { title: "New", agentMode: "plan", variant: "high" } } },
    ]);
    expect(info).toMatchObject({ sessionUpdate: "session_info_update", title: "New" });
    expect(mode).toEqual({ sessionUpdate: "current_mode_update", currentModeId: "plan" });
    expect(options).toMatchObject({
      sessionUpdate: "config_option_update",
      configOptions: [
        { id: "model", currentValue: "small" },
        { id: "mode", currentValue: "plan" },
        { id: "thought_level", currentValue: "high" },
        { id: "permission_mode", currentValue: "default" },
      ],
    });
  });

  test("sends its context usage and its cost so far", () => {
    const ended = (cost_usd: number): Body => ({
      type: "turn.ended",
      data: { phase: "ended", metadata: { usage: { context_used: 10, context_window: 100, cost_usd } } },
    });
    expect(live([ended(1), ended(2)])).toEqual([
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 1, currency: "USD" } },
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 3, currency: "USD" } },
    ]);
  });
});
