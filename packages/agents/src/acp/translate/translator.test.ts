/** ACP updates that recordings do not contain. */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../draft.ts";
import { RpcError } from "../../process/json-rpc.ts";
import { PermissionRequest } from "../native.ts";
import { createTranslator } from "./translator.ts";

const chunk = (text: string, more: object = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...more,
});
const tool = (fields: object, sessionUpdate = "tool_call_update") => ({ sessionUpdate, toolCallId: "t", ...fields });
const textContent = (...texts: string[]) => texts.map((text) => ({ type: "content", content: { type: "text", text } }));

function outline(drafts: readonly Draft[]) {
  return drafts.map((draft) => {
    if (draft.type === "item.delta") return [draft.type, draft.native_item_id, draft.delta];
    if (draft.type === "item.started") return [draft.type, draft.item.native_item_id];
    if (draft.type === "item.completed") return [draft.type, draft.item.native_item_id, draft.failed ?? false];
    return [draft.type];
  });
}

/** The content of the last item, after these updates. */
function lastContent(...updates: (Record<string, unknown> & { sessionUpdate: string })[]) {
  const translator = createTranslator("p");
  const draft = updates.flatMap((update) => translator.update(update)).at(-1);
  return draft?.type === "item.completed" ? draft.item.content : null;
}

describe("a message", () => {
  test("continues until its id, kind or subagent changes", () => {
    const translator = createTranslator("p");
    const parent = { _meta: { claudeCode: { parentToolUseId: "call" } } };
    const drafts = [
      chunk("\n"),
      chunk("a", { messageId: "m" }),
      chunk("", { messageId: "n" }),
      chunk("b", { messageId: "m" }),
      chunk("c", { messageId: "n" }),
      chunk("d", { messageId: "n", sessionUpdate: "agent_thought_chunk" }),
      chunk("e", { messageId: "n" }),
      chunk("f", { messageId: "n", ...parent }),
    ].flatMap((update) => translator.update(update));
    expect(outline([...drafts, ...translator.settle(), ...translator.settle()])).toEqual([
      ["item.started", "m"],
      ["item.delta", "m", "a"],
      ["item.delta", "m", "b"],
      ["item.completed", "m", false],
      ["item.started", "n"],
      ["item.delta", "n", "c"],
      ["item.completed", "n", false],
      ["item.started", "n:thought"],
      ["item.delta", "n:thought", "d"],
      ["item.completed", "n:thought", false],
      ["item.started", "n#4"],
      ["item.delta", "n#4", "e"],
      ["item.completed", "n#4", false],
      ["item.started", "n#5"],
      ["item.delta", "n#5", "f"],
      ["item.completed", "n#5", false],
    ]);
    expect(drafts.at(-1)).toMatchObject({ type: "item.delta" });
    expect(drafts.findLast(({ type }) => type === "item.started")).toMatchObject({
      item: { native_parent_id: "call" },
    });
  });

  test.each([
    [
      { type: "image", data: "AA", mimeType: "image/png" },
      { type: "image", path: "image", mime: "image/png" },
    ],
    [
      { type: "image", uri: "file:///a.png" },
      { type: "image", path: "/a.png", mime: null },
    ],
    [
      { type: "resource_link", uri: "file:///a" },
      { type: "file_ref", path: "/a", action: "read" },
    ],
    [
      { type: "resource", resource: { uri: "file:///b" } },
      { type: "file_ref", path: "/b", action: "read" },
    ],
    [
      { type: "audio", mimeType: "audio/wav" },
      { type: "json", json: { type: "audio", mimeType: "audio/wav" } },
    ],
    [
      { type: "resource", resource: { uri: "u", text: "words" } },
      { type: "text", text: "words" },
    ],
  ])("can be %j", (content, part) => {
    const translator = createTranslator("p");
    translator.update({ sessionUpdate: "agent_message_chunk", content });
    expect(translator.settle()).toMatchObject([{ item: { content: [part] } }]);
  });

  test.each([
    [chunk("Info: trying again..."), "Info: trying again..."],
    [chunk("[MODE_UPDATE] plan"), "[MODE_UPDATE] plan"],
    [chunk("beside", { _meta: { qwenDiscreteMessage: true } }), "beside"],
    [{ sessionUpdate: "notice", severity: "warning", title: "T" }, "T"],
    [{ sessionUpdate: "notice", severity: "warning" }, "warning"],
    [{ sessionUpdate: "notice" }, "Notice"],
    [{ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" }, "Compacting"],
    [
      {
        sessionUpdate: "compaction_update",
        compactionId: "c",
        status: "completed",
        summary: [{ type: "text", text: "short" }],
      },
      "Compacted",
    ],
  ])("of the agent itself is a notice and ends a message: %j", (update, label) => {
    const translator = createTranslator("p");
    translator.update(chunk("a"));
    expect(translator.update(update)).toMatchObject([
      { item: { kind: "message" } },
      { item: { kind: "status", content: [{ type: "status", label }] } },
    ]);
  });

  test("a compaction without a summary is not emitted", () => {
    const update = { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" };
    expect(createTranslator("p").update(update)).toEqual([]);
  });

  test("settings do not end it, unknown updates do", () => {
    const translator = createTranslator("p");
    translator.update(chunk("a"));
    expect(translator.update({ sessionUpdate: "current_mode_update", currentModeId: "plan" })).toEqual([]);
    expect(translator.update({ sessionUpdate: "new_thing" })).toMatchObject([
      { item: { kind: "message" } },
      { item: { kind: "unknown" } },
    ]);
  });
});

describe("a tool call", () => {
  test("streams what is new of its output", () => {
    const translator = createTranslator("p");
    const drafts = [
      tool({ title: "ls", status: "pending", content: textContent("a description") }, "tool_call"),
      tool({ status: "in_progress", content: [] }),
      tool({ content: textContent("one") }),
      tool({ content: textContent("one") }),
      tool({ content: textContent("one", "two") }),
      tool({ content: textContent("another") }),
      tool({ status: "completed" }),
      tool({ status: "completed" }),
    ].flatMap((update) => translator.update(update));
    expect(outline(drafts)).toEqual([
      ["item.started", "t"],
      ["item.completed", "t", false],
      ["item.started", "t:result"],
      ["item.delta", "t:result", "one"],
      ["item.delta", "t:result", "\ntwo"],
      ["item.completed", "t:result", false],
    ]);
    expect(drafts.at(-1)).toMatchObject({ item: { content: [{ output: "another" }] } });
  });

  test.each([
    [{ name: "n", title: "T", _meta: { toolName: "m", claudeCode: { toolName: "c" } } }, "n"],
    [{ title: "T", _meta: { toolName: "m", claudeCode: { toolName: "c" } } }, "c"],
    [{ title: "T", _meta: { toolName: "m" } }, "m"],
    [{ title: "T", toolCallId: "read_file__123" }, "read_file"],
    [{ title: "T" }, "T"],
    [{}, "tool"],
  ])("%j is named %s", (fields, name) => {
    expect(createTranslator("p").update(tool(fields))).toMatchObject([{ item: { content: [{ name }] } }]);
  });

  test("of a subagent belongs to the call that started it", () => {
    const _meta = { claudeCode: { parentToolUseId: "parent" } };
    const drafts = createTranslator("p").update(tool({ status: "completed", _meta }));
    expect(drafts).toHaveLength(3);
    for (const draft of drafts) expect(draft).toMatchObject({ item: { native_parent_id: "parent" } });
  });

  test.each([
    [{ _meta: { terminal_output: { data: "term" } }, content: textContent("text") }, "term"],
    [{ content: textContent("text"), rawOutput: "raw" }, "text"],
    [{ rawOutput: "raw" }, "raw"],
    [{ rawOutput: { output: "inner", exit: 0 } }, "inner"],
    [{ rawOutput: { result: 1 } }, '{"result":1}'],
    [{ rawOutput: null }, ""],
    [{}, ""],
  ])("with %j has the output %j", (fields, output) => {
    expect(lastContent(tool({ ...fields, status: "completed" }))).toEqual([
      { type: "tool_result", call_id: "t", output },
    ]);
  });

  test("adds up the pieces of a terminal, and keeps what was streamed", () => {
    const piece = (data: string) => tool({ status: "in_progress", _meta: { terminal_output_delta: { data } } });
    expect(lastContent(piece("a"), piece("b"), tool({ status: "completed" }))).toMatchObject([{ output: "ab" }]);
    const shown = tool({ status: "in_progress", content: textContent("seen") });
    expect(lastContent(shown, tool({ status: "completed", content: [] }))).toMatchObject([{ output: "seen" }]);
  });

  test.each([
    [{ status: "completed" }, false],
    [{ status: "failed" }, true],
    [{ status: "completed", _meta: { terminal_exit: { exit_code: 0 } } }, false],
    [{ status: "completed", _meta: { terminal_exit: { exit_code: 1 } } }, true],
  ])("that ended with %j has failed: %s", (fields, failed) => {
    expect(createTranslator("p").update(tool(fields)).at(-1)).toMatchObject({ failed });
  });

  const diff = { type: "diff", path: "/f", oldText: "a\n", newText: "b\n" };
  test.each([
    [{ kind: "read", locations: [{ path: "/f" }] }, [{ path: "/f", action: "read" }]],
    [{ kind: "edit", locations: [{ path: "/f" }] }, [{ path: "/f", action: "patch" }]],
    [{ kind: "execute", locations: [{ path: "/f" }] }, []],
    [{ content: [{ ...diff, path: null }] }, []],
    [{ content: [diff] }, [{ path: "/f", action: "patch", diff: "--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-a\n+b\n" }]],
    [
      { content: [{ ...diff, oldText: null }] },
      [{ path: "/f", action: "write", diff: "--- /dev/null\n+++ /f\n@@ -0,0 +1,1 @@\n+b\n" }],
    ],
    [
      { content: [{ ...diff, newText: null }] },
      [{ path: "/f", action: "patch", diff: "--- /f\n+++ /f\n@@ -1,1 +0,0 @@\n-a\n" }],
    ],
  ])("with %j touches %j", (fields, files) => {
    expect(lastContent(tool({ ...fields, status: "completed" }))?.slice(1)).toEqual(
      files.map((file) => ({ type: "file_ref", ...file })),
    );
  });

  test("keeps its diffs when the last update leaves them out, unless it failed", () => {
    const shown = tool({ content: [diff] });
    expect(lastContent(shown, tool({ status: "completed", content: textContent("done") }))).toHaveLength(2);
    expect(lastContent(shown, tool({ status: "failed" }))).toHaveLength(1);
  });

  test("shows the images among its content", () => {
    const content = [{ type: "content", content: { type: "image", uri: "file:///a.png", mimeType: "image/png" } }];
    expect(lastContent(tool({ status: "completed", content }))?.[1]).toEqual({
      type: "image",
      path: "/a.png",
      mime: "image/png",
    });
  });

  test("that keeps a list of todos shows it, unless it failed", () => {
    const rawInput = { todos: [{ content: "one", status: "pending" }] };
    expect(lastContent(tool({ rawInput, status: "completed" }))?.[1]).toEqual({ type: "json", json: rawInput });
    expect(lastContent(tool({ rawInput, status: "failed" }))).toHaveLength(1);
  });

  test("that is left open when the turn ends has failed", () => {
    const translator = createTranslator("p");
    translator.update(tool({ status: "in_progress" }));
    expect(outline(translator.onPromptResult({}, { aborting: false }))).toEqual([
      ["item.completed", "t", false],
      ["item.completed", "t:result", true],
      ["turn.ended"],
    ]);
  });
});

describe("a permission request", () => {
  const requested = (toolCall: object) => PermissionRequest().parse({ toolCall: { toolCallId: "t", ...toolCall } });

  test("may be the first message about a call", () => {
    const translator = createTranslator("p");
    translator.update(chunk("a"));
    const { drafts, call } = translator.onPermissionRequest(
      requested({ title: "ls", kind: "execute", rawInput: { command: "ls" } }),
    );
    expect(drafts).toMatchObject([{ item: { kind: "message" } }, { item: { kind: "tool_call" } }]);
    expect(call).toMatchObject({ name: "ls", kind: "execute", input: { command: "ls" } });
  });

  test("changes neither input nor status of a call that is known", () => {
    const translator = createTranslator("p");
    translator.update(tool({ title: "ls", rawInput: { command: "ls" } }));
    const { drafts, call } = translator.onPermissionRequest(
      requested({ title: "other", rawInput: { shown: 1 }, status: "completed" }),
    );
    expect(drafts).toEqual([]);
    expect(call).toMatchObject({ name: "ls", input: { command: "ls" } });
  });

  test.each([
    [{ title: "late" }, "late"],
    [{}, "tool"],
  ])("%j for a call that is over has its own name", (toolCall, name) => {
    const translator = createTranslator("p");
    translator.update(tool({ status: "completed" }));
    expect(translator.onPermissionRequest(requested(toolCall))).toEqual({
      drafts: [],
      call: { name, kind: null, input: {} },
    });
  });
});

describe("the end of a turn", () => {
  /** The reason, and the code of the error. */
  function endOf(drafts: readonly Draft[]) {
    const error = drafts.find((draft) => draft.type === "error");
    const end = drafts.at(-1);
    return [end?.type === "turn.ended" && end.reason, error?.type === "error" ? error.error.code : null];
  }
  const endAfter = (text: string | null, result: unknown, { aborting = false, isCommand = false } = {}) => {
    const translator = createTranslator("p");
    translator.begin({ isCommand });
    if (text !== null) translator.update(chunk(text));
    return endOf(translator.onPromptResult(result, { aborting }));
  };

  test.each([
    ["hi", { stopReason: "end_turn" }, {}, ["completed", null]],
    ["hi", null, {}, ["completed", null]],
    [null, { stopReason: "end_turn" }, {}, ["failed", "empty_turn"]],
    [null, { stopReason: "end_turn" }, { aborting: true }, ["aborted", null]],
    ["hi", { stopReason: "cancelled" }, { aborting: true }, ["aborted", null]],
    ["Error: no", { stopReason: "cancelled" }, { aborting: true }, ["aborted", null]],
    [null, { stopReason: "cancelled" }, {}, ["completed", null]],
    ["hi", { stopReason: "max_tokens" }, {}, ["failed", "max_output_tokens"]],
    ["hi", { stopReason: "max_tokens" }, { aborting: true }, ["aborted", null]],
    ["Error: 429", { stopReason: "end_turn" }, {}, ["failed", "rate_limited"]],
    ["quota 429", { stopReason: "end_turn", usage: null }, {}, ["failed", "rate_limited"]],
    ["quota 429", { stopReason: "cancelled", usage: null }, {}, ["completed", null]],
    ["quota 429", { stopReason: "end_turn", usage: {} }, {}, ["completed", null]],
    ["quota 429", { stopReason: "end_turn", usage: null }, { isCommand: true }, ["completed", null]],
  ])("after %j, with %j and %j, is %j", (text, result, options, expected) => {
    expect(endAfter(text, result, options)).toEqual(expected);
  });

  test("takes only the last text for an error, and only of this turn", () => {
    const translator = createTranslator("p");
    translator.begin({ isCommand: false });
    translator.update(chunk("Error: 429"));
    translator.update(tool({ status: "completed" }));
    expect(endOf(translator.onPromptResult({}, { aborting: false }))).toEqual(["completed", null]);
    translator.begin({ isCommand: false });
    translator.update(chunk("Error: 429"));
    translator.begin({ isCommand: false });
    translator.update(chunk("fine"));
    expect(endOf(translator.onPromptResult({}, { aborting: false }))).toEqual(["completed", null]);
    translator.begin({ isCommand: false });
    translator.update(chunk("Error: 429", { sessionUpdate: "agent_thought_chunk" }));
    expect(endOf(translator.onPromptResult({}, { aborting: false }))).toEqual(["completed", null]);
  });

  test.each([
    [true, "aborted", null],
    [false, "failed", "auth_invalid"],
  ])("of a prompt that failed while it was aborted: %s", (aborting, reason, code) => {
    const translator = createTranslator("p");
    translator.begin({ isCommand: false });
    translator.update(chunk("hi"));
    translator.update(tool({ status: "in_progress" }));
    const drafts = translator.onPromptError(new RpcError(-32000, "log in"), { aborting, hasKey: true });
    expect(drafts[0]).toMatchObject({ type: "item.completed", item: { native_item_id: "t" } });
    expect(endOf(drafts)).toEqual([reason, code]);
  });
});

describe("usage", () => {
  const usageOf = (translator: ReturnType<typeof createTranslator>, result: object) => {
    const end = translator.onPromptResult(result, { aborting: false }).at(-1);
    return end?.type === "turn.ended" ? end.usage : null;
  };
  const counted = (usage: object) => chunk("", { _meta: { usage } });

  test("is that of the result, of its quota, or of the chunks", () => {
    const translator = createTranslator("p");
    translator.update(counted({ inputTokens: 1, outputTokens: 2 }));
    translator.update(counted({ inputTokens: 10, thoughtTokens: 3 }));
    expect(usageOf(translator, {})).toEqual({ input_tokens: 11, output_tokens: 2, reasoning_tokens: 3 });
    const quota = { _meta: { quota: { token_count: { input_tokens: 5, output_tokens: 6 } } } };
    expect(usageOf(translator, quota)).toEqual({ input_tokens: 5, output_tokens: 6 });
    const usage = { inputTokens: 1, outputTokens: 2, cachedReadTokens: 3, thoughtTokens: 4 };
    expect(usageOf(translator, { ...quota, usage })).toEqual({
      input_tokens: 1,
      output_tokens: 2,
      cached_tokens: 3,
      reasoning_tokens: 4,
    });
    expect(usageOf(translator, {})).toBeUndefined();
  });

  test("has the context, and the cost since the turn before", () => {
    const translator = createTranslator("p");
    const update = (fields: object) => translator.update({ sessionUpdate: "usage_update", ...fields });
    expect(update({ used: 7, size: 100, cost: { amount: 2, currency: "USD" } })).toEqual([]);
    expect(usageOf(translator, {})).toEqual({ context_used: 7, context_window: 100, cost_usd: 2 });
    update({ used: 8, cost: { amount: 3 } });
    expect(usageOf(translator, {})).toEqual({ context_used: 8, context_window: 100, cost_usd: 1 });
    update({ cost: { amount: 9, currency: "EUR" } });
    expect(usageOf(translator, {})).toEqual({ context_used: 8, context_window: 100 });
    // A new process counts from zero again.
    update({ cost: { amount: 0.5, currency: "USD" } });
    expect(usageOf(translator, {})).toMatchObject({ cost_usd: 0.5 });
  });
});
