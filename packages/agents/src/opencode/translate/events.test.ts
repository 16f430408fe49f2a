/** OpenCode's events in the shapes that recordings do not show, or show only in passing. */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../draft.ts";
import { createTranslator } from "./translator.ts";

const types = (drafts: readonly Draft[]) => drafts.map(({ type }) => type);

/** Events of OpenCode, as they come from its stream. */
const event = (type: string, properties: object) => ({ id: "e", type, properties });
const updated = (native: object, sessionID = "main") =>
  event("message.part.updated", { sessionID, time: 1, part: { sessionID, messageID: "m", ...native } });
const message = (fields: object = {}, sessionID = "main") =>
  event("message.updated", {
    sessionID,
    info: {
      id: "m",
      role: "assistant",
      sessionID,
      mode: "build",
      agent: "build",
      parentID: "u",
      cost: 0,
      time: { created: 1 },
      ...fields,
    },
  });
const toolPart = (id: string, tool: string, state: object, sessionID = "main") =>
  updated({ type: "tool", id, callID: `call-${id}`, tool, state }, sessionID);
const busyTask = (id: string, sessionID = "main") =>
  toolPart(id, "task", { status: "running", input: {}, time: { start: 1 } }, sessionID);
const textPart = (text: string, fields: object = {}, sessionID = "main") =>
  updated({ type: "text", id: "p", text, time: { start: 1 }, ...fields }, sessionID);
const outline = (drafts: readonly Draft[]) =>
  drafts.map((draft) => {
    if (draft.type === "item.delta") return [draft.type, draft.native_item_id, draft.delta];
    if (draft.type !== "item.started" && draft.type !== "item.completed") return [draft.type];
    return [draft.type, draft.item.native_item_id, draft.item.kind, draft.item.native_parent_id ?? null];
  });

function begun() {
  const translator = createTranslator("main");
  translator.begin(1000);
  translator.translate(event("session.status", { sessionID: "main", status: { type: "busy" } }));
  return translator;
}

describe("speech", () => {
  test("goes on with what is new, whether it comes as a part or as a delta", () => {
    const translator = begun();
    const piece = (delta: string, fields: object = {}) =>
      event("message.part.delta", { sessionID: "main", messageID: "m", partID: "p", field: "text", delta, ...fields });
    const drafts = [
      piece("early"),
      textPart(""),
      piece("a"),
      piece("x", { field: "metadata" }),
      textPart("ab"),
      textPart("ab"),
      textPart("abc", { time: { start: 1, end: 2 } }),
      piece("late"),
    ].flatMap((raw) => translator.translate(raw));
    expect(outline(drafts)).toEqual([
      ["item.started", "p", "message", null],
      ["item.delta", "p", "a"],
      ["item.delta", "p", "b"],
      ["item.completed", "p", "message", null],
    ]);
    expect(drafts.at(-1)).toMatchObject({ item: { content: [{ type: "text", text: "abc" }] } });
  });

  test("in one piece is complete at once", () => {
    expect(outline(begun().translate(textPart("whole", { time: { start: 1, end: 2 } })))).toEqual([
      ["item.completed", "p", "message", null],
    ]);
  });

  test("that was open at the end of a turn does not go on in the next", () => {
    const translator = begun();
    translator.translate(textPart("half"));
    translator.translate(event("session.idle", { sessionID: "main" }));
    translator.begin(null);
    const piece = { sessionID: "main", messageID: "m", partID: "p", field: "text", delta: "more" };
    expect(translator.translate(event("message.part.delta", piece))).toEqual([]);
  });

  test("without a word is not shown", () => {
    expect(begun().translate(textPart("", { time: { start: 1, end: 2 } }))).toEqual([]);
  });

  test("is cut off by a retry in its own session only", () => {
    const translator = begun();
    const retry = (sessionID: string) =>
      event("session.status", { sessionID, status: { type: "retry", attempt: 2, message: "Overloaded", next: 0 } });
    translator.translate(textPart("half"));
    translator.translate(updated({ type: "reasoning", id: "r", text: "", time: { start: 1 } }));
    expect(translator.translate(retry("child")).map(({ type }) => type)).toEqual(["item.started", "item.completed"]);
    expect(translator.translate(retry("main"))).toMatchObject([
      { type: "item.completed", failed: true, item: { native_item_id: "p", content: [{ text: "half" }] } },
      { type: "item.started" },
      {
        type: "item.completed",
        item: { content: [{ label: "Retrying", detail: "attempt 2 failed: Overloaded" }, {}] },
      },
    ]);
    expect(translator.translate(textPart("half", { time: { start: 1, end: 2 } }))).toEqual([]);
    const thought = updated({ type: "reasoning", id: "r", text: "hm", time: { start: 1, end: 2 } });
    expect(outline(translator.translate(thought))).toEqual([["item.completed", "r", "message", null]]);
    expect(outline(translator.translate(textPart("new", { id: "q" })))[0]).toEqual([
      "item.started",
      "q",
      "message",
      null,
    ]);
  });

  test.each([
    ["of the user", [message({ role: "user" })]],
    ["of the turn before", [message(), event("session.idle", { sessionID: "main" })]],
  ])("%s is not shown", (_, before) => {
    const translator = begun();
    for (const raw of before) translator.translate(raw);
    translator.settle();
    translator.begin(null);
    expect(translator.translate(textPart("old"))).toEqual([]);
  });

  test("outside of a turn is not shown", () => {
    expect(createTranslator("main").translate(textPart("late"))).toEqual([]);
  });
});

describe("a subagent", () => {
  const created = (id: string, parentID: string) =>
    event("session.created", { sessionID: id, info: { id, parentID, directory: "/", title: "" } });

  test("belongs to the call that started it, the conversation to none", () => {
    const translator = begun();
    translator.translate(busyTask("1"));
    translator.translate(created("child", "main"));
    translator.translate(busyTask("2", "child"));
    translator.translate(created("grandchild", "child"));
    const parentOf = (session: string) =>
      outline(translator.translate(textPart("a", { id: `p-${session}` }, session)))[0]?.[3];
    expect([parentOf("main"), parentOf("child"), parentOf("grandchild")]).toEqual([null, "1", "2"]);
  });

  test("shows its failures as notices, unless it was aborted", () => {
    const translator = begun();
    translator.translate(busyTask("1"));
    const failure = (name: string) =>
      event("session.error", { sessionID: "child", error: { name, data: { message: "no" } } });
    expect(outline(translator.translate(failure("UnknownError")))).toMatchObject([
      ["item.started", expect.any(String), "status", "1"],
      ["item.completed", expect.any(String), "status", "1"],
    ]);
    expect(translator.translate(failure("MessageAbortedError"))).toEqual([]);
    expect(translator.translate(event("session.idle", { sessionID: "child" }))).toEqual([]);
    expect(
      translator.translate(
        event("session.deleted", { sessionID: "child", info: { id: "child", directory: "/", title: "" } }),
      ),
    ).toEqual([]);
    expect(translator.translate(event("session.idle", { sessionID: "main" }))).toMatchObject([
      { type: "turn.ended", usage: {} },
    ]);
  });

  test("counts for the turn, but not for the context", () => {
    const translator = begun();
    const step = (sessionID: string, input: number) =>
      updated(
        {
          type: "step-finish",
          id: "s",
          reason: "stop",
          cost: 0.5,
          tokens: { input, output: 2, reasoning: 3, cache: { read: 40, write: 500 } },
        },
        sessionID,
      );
    translator.translate(step("main", 1));
    translator.translate(step("child", 6000));
    expect(translator.translate(event("session.idle", { sessionID: "main" }))).toMatchObject([
      {
        usage: {
          input_tokens: 7081,
          output_tokens: 10,
          cached_tokens: 80,
          reasoning_tokens: 6,
          cost_usd: 1,
          context_used: 546,
          context_window: 1000,
        },
      },
    ]);
  });
});

describe("what is not known is passed on", () => {
  test.each([
    ["an event", event("brand.new", { sessionID: "child" }), "1"],
    ["an event without a session", event("brand.new", {}), null],
    ["a part", updated({ type: "brand-new", id: "n" }, "child"), "1"],
    ["a part without an id", updated({ type: "brand-new" }), null],
  ])("%s", (_, raw, parent) => {
    const translator = begun();
    translator.translate(busyTask("1"));
    expect(outline(translator.translate(raw))).toEqual([
      ["item.started", expect.any(String), "unknown", parent],
      ["item.completed", expect.any(String), "unknown", parent],
    ]);
  });

  test("a part, under its own id", () => {
    expect(outline(begun().translate(updated({ type: "brand-new", id: "n" })))[0]?.[1]).toBe("n");
  });

  test("a state of a tool, beside its call", () => {
    expect(outline(begun().translate(toolPart("1", "bash", { status: "brand-new" })))).toEqual([
      ["item.started", "1", "tool_call", null],
      ["item.started", "1:unknown", "unknown", null],
      ["item.completed", "1:unknown", "unknown", null],
    ]);
  });

  test.each([
    [{}, "opencode.?", "an event without a type"],
    [event("session.idle", {}), "opencode.session.idle", "properties.sessionID"],
  ])("%j as unreadable", (raw, location, error) => {
    expect(begun().translate(raw)).toMatchObject([
      { type: "agent.unparsed", unparsed: { location, error: expect.stringContaining(error) } },
    ]);
  });

  test.each(["sync", "message.removed", "lsp.updated", "server.connected"])("but %s is no part of it", (type) => {
    expect(begun().translate(event(type, {}))).toEqual([]);
  });
});

describe("a notice", () => {
  test.each([
    [updated({ type: "compaction", id: "c", auto: true }), "Compacting the context"],
    [event("session.compacted", { sessionID: "main" }), "Context compacted"],
    [event("todo.updated", { sessionID: "main", todos: [] }), "Todo list"],
    [updated({ type: "patch", id: "c", hash: "h", files: ["/a", "/b"] }), "Files changed"],
    [message({ finish: "length", time: { created: 1, completed: 2 } }), "Output limit reached"],
  ])("%j", (raw, label) => {
    const draft = begun().translate(raw).at(-1);
    expect(draft?.type === "item.completed" && draft.item.content?.[0]).toMatchObject({ type: "status", label });
  });

  test.each([
    [message({ finish: "length" })],
    [message({ finish: "stop", time: { created: 1, completed: 2 } })],
    [message({ finish: "length", time: { created: 1, completed: 2 } }, "child")],
  ])("is not %j", (raw) => {
    expect(begun().translate(raw)).toEqual([]);
  });
});

describe("a failure", () => {
  const error = { name: "UnknownError", data: { message: "no" } };

  test("of a message is that of the turn, once", () => {
    const translator = begun();
    expect(types(translator.translate(message({ error })))).toEqual(["error"]);
    expect(translator.translate(event("session.error", { error }))).toEqual([]);
  });

  test("of a message of a subagent, or after the turn, is not", () => {
    expect(begun().translate(message({ error }, "child"))).toEqual([]);
    expect(createTranslator("main").translate(message({ error }))).toEqual([]);
  });

  test("outside of a turn is reported once", () => {
    const translator = createTranslator("main");
    expect(translator.settling).toBe(false);
    expect(types(translator.translate(event("session.error", { error })))).toEqual(["error"]);
    expect(translator.translate(event("session.error", { sessionID: "main", error }))).toEqual([]);
    expect(translator.translate(event("session.error", { sessionID: "main" }))).toEqual([]);
  });

  test("that kept a turn from starting does not hold up the next", () => {
    const translator = createTranslator("main");
    translator.begin(null);
    translator.translate(event("session.error", { error }));
    expect(translator.settling).toBe(true);
    translator.begin(null);
    expect(translator.settling).toBe(false);
  });

  test.each([
    [{ name: "ProviderAuthError", data: { providerID: "p", message: "no key" } }, "auth_required", "no key; "],
    [{ name: "ProviderAuthError", data: { providerID: "p", message: "Expired" } }, "auth_expired", "Expired; "],
    [{ name: "ContextOverflowError", data: { message: "long" } }, "context_overflow", "long"],
    [{ name: "MessageOutputLengthError", data: {} }, "output_limit", "output limit"],
    [{ name: "UnknownError", data: { message: "Model not found: x" } }, "model_not_found", "Model"],
    [{ name: "NewError", data: { message: "words" } }, "agent_error", "words"],
    [{ name: "NewError" }, "agent_error", "OpenCode reported NewError"],
  ])("%j is %s", (native, code, words) => {
    expect(begun().translate(event("session.error", { sessionID: "main", error: native }))).toMatchObject([
      { error: { code, message: expect.stringContaining(words) } },
    ]);
  });
});

describe("the end of a turn", () => {
  test("waits for the last words of a message that is not complete", () => {
    const translator = begun();
    translator.translate(message());
    expect(translator.translate(event("session.idle", { sessionID: "main" }))).toEqual([]);
    expect(translator.settling).toBe(true);
    translator.translate(message({ time: { created: 1, completed: 2 } }));
    expect(types(translator.translate(event("session.idle", { sessionID: "main" })))).toEqual(["turn.ended"]);
  });

  test("of the conversation is that of its session", () => {
    const info = { id: "main", directory: "/", title: "" };
    expect(types(begun().translate(event("session.deleted", { sessionID: "main", info })))).toEqual(["session.ended"]);
  });
});

describe("the diff that a permission showed", () => {
  const asked = (fields: object) =>
    event("permission.asked", {
      id: "r",
      sessionID: "main",
      permission: "edit",
      patterns: [],
      always: [],
      metadata: { diff: "shown" },
      tool: { callID: "call-1", messageID: "m" },
      ...fields,
    });
  const edited = toolPart("1", "edit", {
    status: "completed",
    input: { filePath: "/a" },
    output: "",
    title: "",
    metadata: {},
    time: { start: 1, end: 2 },
  });
  const diffOf = (drafts: readonly Draft[]) => {
    const end = drafts.at(-1);
    return end?.type === "item.completed" ? end.item.content?.[1] : null;
  };

  test.each([
    [asked({}), "shown"],
    [asked({ metadata: {} }), undefined],
    [asked({ tool: null }), undefined],
  ])("is that of the result: %j", (raw, diff) => {
    const expected = { type: "file_ref", path: "/a", action: "patch", ...(diff && { diff }) };
    const shown = begun();
    expect(types(shown.translate(raw))).toEqual(["permission.requested"]);
    expect(diffOf(shown.translate(edited))).toEqual(expected);
    const decided = begun();
    expect(decided.permissionIn(raw)).toMatchObject({ id: "r", permission: "edit" });
    expect(diffOf(decided.translate(edited))).toEqual(expected);
  });

  test("is in no other event", () => {
    expect(begun().permissionIn(edited)).toBeNull();
    expect(begun().permissionIn({})).toBeNull();
  });
});
