/** Pi's messages in the shapes that recordings do not show, or show only in passing. */
import { describe, expect, test } from "vitest";
import { errorData } from "./errors.ts";
import { mcpCall, permissionReply, questionReply } from "./requests.ts";
import { createTranslator } from "./translator.ts";
import { createUsageMeter } from "./usage.ts";

const newTranslator = () => createTranslator({ directory: "/project" });
type Drafts = ReturnType<ReturnType<typeof newTranslator>["translate"]>;

const usage = (input: number) => ({
  input,
  output: 2,
  cacheRead: 30,
  cacheWrite: 400,
  totalTokens: 500,
  cost: { total: 0.5 },
});
const assistant = (content: unknown[], fields: object = {}) => ({
  type: "message_end",
  message: { role: "assistant", content, usage: usage(1), stopReason: "stop", timestamp: 7, ...fields },
});
const begin = { type: "message_start", message: { role: "assistant", timestamp: 7 } };
const update = (fields: object) => ({ type: "message_update", assistantMessageEvent: fields });
const outline = (drafts: Drafts) =>
  drafts.map((draft) => {
    if (draft.type === "item.delta") return [draft.type, draft.native_item_id, draft.delta];
    if (draft.type === "item.started" || draft.type === "item.completed")
      return [draft.type, draft.item.native_item_id, draft.item.content?.[0]];
    return [draft.type];
  });

describe("a message of the model", () => {
  test("is streamed block by block and completed by the whole", () => {
    const translator = newTranslator();
    const drafts = [
      begin,
      update({ type: "thinking_start", contentIndex: 0 }),
      update({ type: "thinking_delta", contentIndex: 0, delta: "hm" }),
      update({ type: "text_start", contentIndex: 1 }),
      update({ type: "text_delta", contentIndex: 1, delta: "" }),
      update({ type: "text_delta", contentIndex: 1, delta: "hi" }),
      update({ type: "text_end", contentIndex: 1, content: "hi" }),
      update({ type: "toolcall_start", contentIndex: 2, id: "call", toolName: "bash" }),
      update({ type: "toolcall_delta", contentIndex: 2, delta: "{}" }),
      assistant([
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "hi" },
        { type: "toolCall", id: "call", name: "bash" },
        { type: "new" },
      ]),
    ].flatMap((raw) => outline(translator.translate(raw)));
    const call = { type: "tool_call", name: "bash", call_id: "call" };
    expect(drafts).toMatchObject([
      ["item.started", "7-1:0", { type: "reasoning", text: "" }],
      ["item.delta", "7-1:0", "hm"],
      ["item.started", "7-1:1", undefined],
      ["item.delta", "7-1:1", "hi"],
      ["item.started", "call", { ...call, arguments: "" }],
      ["item.delta", "call", "{}"],
      ["item.completed", "7-1:0", { type: "reasoning", text: "hm", visibility: "public" }],
      ["item.completed", "7-1:1", { type: "text", text: "hi" }],
      ["item.completed", "call", { ...call, arguments: "{}" }],
      ["item.completed", "7-1:3", { type: "json" }],
    ]);
  });

  test("has items of its own, also without a time and at the same time as another", () => {
    const translator = newTranslator();
    const idOf = (timestamp?: number) => {
      translator.translate({ type: "message_start", message: { role: "assistant", timestamp } });
      translator.translate(update({ type: "toolcall_start", contentIndex: 0, id: "call", toolName: "bash" }));
      translator.translate({ type: "message_start", message: { role: "assistant", timestamp } });
      return outline(translator.translate(assistant([{ type: "text", text: "hi" }])))[0]?.[1];
    };
    expect([idOf(7), idOf(7), idOf()]).toEqual(["7-2:0", "7-4:0", "0-6:0"]);
  });

  test("is not started by one of the user", () => {
    const translator = newTranslator();
    translator.translate(begin);
    translator.translate({ type: "message_start", message: { role: "user", timestamp: 8 } });
    expect(outline(translator.translate(assistant([{ type: "text", text: "hi" }])))[0]?.[1]).toBe("7-1:0");
  });

  test.each([
    ["stop", false],
    ["error", true],
    ["aborted", true],
  ])("that stopped with %s has failed: %s", (stopReason, failed) => {
    expect(newTranslator().translate(assistant([{ type: "text", text: "hi" }], { stopReason }))).toMatchObject([
      { failed },
    ]);
  });

  test("with an empty thought has private reasoning", () => {
    expect(newTranslator().translate(assistant([{ type: "thinking", thinking: "", redacted: true }]))).toMatchObject([
      { item: { content: [{ type: "reasoning", visibility: "private" }] } },
    ]);
  });
});

describe("a message of another role", () => {
  const ended = (message: object) => newTranslator().translate({ type: "message_end", message });

  test.each(["user", "toolResult", "system", "bashExecution"])("%s is not emitted", (role) => {
    expect(ended({ role, content: "x" })).toEqual([]);
  });

  test.each([
    ["x", "x"],
    [[{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], "a\nb"],
  ])("an extension, %j, is emitted with `display`", (content, text) => {
    const custom = { role: "custom", content, timestamp: 7 };
    expect(ended({ ...custom, display: true })).toMatchObject([
      { item: { native_item_id: "custom:7-1", kind: "system", role: "system", content: [{ type: "text", text }] } },
    ]);
    expect(ended({ ...custom, display: false })).toEqual([]);
  });

  test("that is unknown is passed on, each with its own id", () => {
    const translator = newTranslator();
    const raw = { type: "message_end", message: { role: "stranger" } };
    const ids = [raw, raw, { type: "new_thing" }, { type: "new_thing" }].map(
      (each) => outline(translator.translate(each))[0]?.[1],
    );
    expect(ids).toEqual(["stranger:1", "stranger:2", "new_thing:3", "new_thing:4"]);
  });
});

test.each(["turn_start", "turn_end", "agent_end", "queue_update"])("%s shows nothing", (type) => {
  expect(newTranslator().translate({ type })).toEqual([]);
});

describe("a notice", () => {
  const retry = { attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage: "529 overloaded" };
  test.each([
    [{ type: "auto_retry_start", ...retry }, "Retrying", "529 overloaded; attempt 1 of 3 in 2000 ms"],
    [{ type: "summarization_retry_scheduled", ...retry }, "Retrying", "529 overloaded; attempt 1 of 3 in 2000 ms"],
    [{ type: "compaction_start", reason: "threshold" }, "Compacting the context", "threshold"],
    [{ type: "compaction_end", reason: "manual", aborted: false }, "Context not compacted", undefined],
    [{ type: "thinking_level_changed", level: "high" }, "Thinking level", "high"],
    [
      { type: "extension_error", extensionPath: "/e.ts", event: "tool_call", error: "no" },
      "Extension failed",
      "/e.ts (tool_call): no",
    ],
  ])("%j", (raw, label, detail) => {
    expect(outline(newTranslator().translate(raw))).toEqual([
      ["item.completed", `${raw.type}:1`, { type: "status", label, ...(detail && { detail }) }],
    ]);
  });
});

describe("a tool", () => {
  const start = (args: unknown, toolName = "read") => ({
    type: "tool_execution_start",
    toolCallId: "c",
    toolName,
    args,
  });
  const partial = (text: string) => ({
    type: "tool_execution_update",
    toolCallId: "c",
    toolName: "bash",
    args: {},
    partialResult: { content: [{ type: "text", text }] },
  });
  const end = (result: object, toolName = "read", isError = false) => ({
    type: "tool_execution_end",
    toolCallId: "c",
    toolName,
    isError,
    result: { content: [], ...result },
  });
  const contentOf = (drafts: Drafts) => (drafts[0]?.type === "item.completed" ? drafts[0].item.content : null);

  test("streams what is new of its output", () => {
    const translator = newTranslator();
    const drafts = [start({}, "bash"), partial(""), partial("a"), partial("a"), partial("ab")];
    expect(drafts.flatMap((raw) => outline(translator.translate(raw)))).toEqual([
      ["item.started", "c:result", { type: "tool_result", call_id: "c", output: "" }],
      ["item.delta", "c:result", "a"],
      ["item.delta", "c:result", "b"],
    ]);
    const content = [{ type: "text", text: "ab" }, { type: "new" }, { type: "text", text: "c" }];
    expect(contentOf(translator.translate(end({ content }, "bash")))).toEqual([
      { type: "tool_result", call_id: "c", output: "ab\nc" },
    ]);
  });

  test.each([
    ["read", {}, [{ path: "/project/a", action: "read" }]],
    ["write", {}, [{ path: "/project/a", action: "write" }]],
    ["write", { patch: "p" }, [{ path: "/project/a", action: "write", diff: "p" }]],
    ["edit", { patch: "p" }, [{ path: "/project/a", action: "patch", diff: "p" }]],
    ["edit", {}, [{ path: "/project/a", action: "patch" }]],
    ["grep", {}, []],
  ])("%s with %j touches %j", (name, details, files) => {
    const translator = newTranslator();
    translator.translate(start({ path: "a" }, name));
    expect(contentOf(translator.translate(end({ details }, name)))?.slice(1)).toEqual(
      files.map((file) => ({ type: "file_ref", ...file })),
    );
  });

  test("touches no file when it failed, or names none, or ran in a process before", () => {
    const failed = newTranslator();
    failed.translate(start({ path: "a" }));
    expect(failed.translate(end({}, "read", true))).toMatchObject([{ failed: true }]);
    failed.translate(start({ path: "a" }));
    expect(contentOf(failed.translate(end({}, "read", true)))).toHaveLength(1);
    failed.translate(start({}));
    expect(contentOf(failed.translate(end({})))).toHaveLength(1);
    failed.translate(start({ path: "a" }));
    failed.restarted();
    expect(contentOf(failed.translate(end({})))).toHaveLength(1);
    failed.translate(start({ path: "a" }));
    failed.translate(end({}));
    expect(contentOf(failed.translate(end({})))).toHaveLength(1);
  });

  test.each([
    [{ path: "a.png" }, "/project/a.png"],
    [{}, "data:image/png;base64,AA"],
  ])("called with %j returns an image at %s", (args, path) => {
    const translator = newTranslator();
    translator.translate(start(args, "look"));
    const content = [{ type: "image", data: "AA", mimeType: "image/png" }];
    expect(contentOf(translator.translate(end({ content }, "look")))?.[1]).toEqual({
      type: "image",
      path,
      mime: "image/png",
    });
  });

  test("may have called a model: that is counted, but no part of the context", () => {
    const translator = newTranslator();
    translator.turn.send();
    translator.translate(assistant([]));
    translator.translate(end({ usage: { ...usage(10), totalTokens: 9000 } }));
    expect(translator.translate({ type: "agent_settled" })).toMatchObject([
      { usage: { input_tokens: 871, output_tokens: 4, cached_tokens: 60, cost_usd: 1, context_used: 500 } },
    ]);
  });
});

test("figures of a turn begin with nothing, and name the window if it is known", () => {
  const meter = createUsageMeter();
  expect(meter.take()).toEqual({});
  meter.onCall({ ...usage(1), totalTokens: 0, reasoning: 5 });
  meter.onToolCall({ ...usage(1), reasoning: 6 });
  meter.setContextWindow(1000);
  expect(meter.take()).toEqual({
    input_tokens: 862,
    output_tokens: 4,
    cached_tokens: 60,
    reasoning_tokens: 11,
    cost_usd: 1,
    context_window: 1000,
  });
  expect(meter.take()).toEqual({ context_window: 1000 });
});

describe("a dialog of ours", () => {
  const dialog = (kind: string, content: object) => ({
    type: "extension_ui_request",
    id: "d",
    method: "input",
    title: `sandbox-agent/${kind} ${JSON.stringify(content)}`,
  });
  const requested = (kind: string, content: object) => newTranslator().translate(dialog(kind, content))[0];

  test.each([
    [{ command: "ls" }, { command: "ls" }],
    [{ path: "a" }, { path: "a" }],
    [{ command: 1, path: 2 }, {}],
  ])("asks for the permission %j", (input, known) => {
    expect(requested("permission", { toolCallId: "c", toolName: "bash", input })).toMatchObject({
      permission: { permission_id: "d", action: "bash", metadata: { tool: "bash", input, tool_use_id: "c", ...known } },
    });
    const draft = requested("permission", { toolCallId: "c", toolName: "bash", input });
    expect(Object.keys((draft?.type === "permission.requested" && draft.permission.metadata) || {})).toHaveLength(
      3 + Object.keys(known).length,
    );
  });

  test("asks questions; the options are those of the first", () => {
    const questions = [
      { question: "Which?", options: [{ label: "A" }, { label: "B", description: "b" }] },
      { question: "Why?", header: "H", multiple: true, options: [] },
    ];
    expect(requested("question", { toolCallId: "c", questions })).toMatchObject({
      question: {
        prompt: "Which?\nWhy?",
        options: ["A", "B"],
        metadata: {
          questions: [
            { header: "", options: [{ label: "A", description: "" }, { description: "b" }], multiSelect: false },
            { header: "H", options: [], multiSelect: true },
          ],
        },
      },
    });
    expect(requested("question", { toolCallId: "c", questions: [] })).toMatchObject({ question: { options: [] } });
  });

  test("shows a plan", () => {
    expect(requested("plan", { toolCallId: "c", plan: "first this" })).toMatchObject({
      question: {
        prompt: "Approve this plan?\n\nfirst this",
        options: ["Approve", "Approve and accept edits", "Reject"],
        metadata: { plan: "first this", questions: [{ header: "Plan", multiSelect: false }] },
      },
    });
  });

  test("of another kind shows nothing", () => {
    expect(requested("mcp", {})).toBeUndefined();
  });

  test("calls an MCP tool", () => {
    const call = { server: "s", tool: "t", arguments: { a: 1 } };
    expect(mcpCall(dialog("mcp", call))).toEqual({ id: "d", call });
    expect(mcpCall(dialog("mcp", { server: "s" }))).toBeNull();
  });
});

test.each([
  ["question", [["A", "B"], ["C"]], { value: '[["A","B"],["C"]]' }],
  ["plan", [["Approve"]], { value: '{"mode":"bypass"}' }],
  ["plan", [["Approve and accept edits"]], { value: '{"mode":"acceptEdits"}' }],
  ["plan", [["Reject", "too long"]], { value: '{"feedback":"Reject, too long"}' }],
  ["confirm", [["y"]], { confirmed: true }],
  ["confirm", [["No"]], { confirmed: false }],
  ["foreign", null, { cancelled: true }],
  ["permission", [["Yes"]], { cancelled: true }],
] as const)("a %s is answered with %j", (kind, answers, native) => {
  const given = answers?.map((each) => [...each]) ?? null;
  expect(questionReply({ kind }, given, "bypass")).toEqual(native);
});

test("a permission is answered with the reply", () => {
  expect(permissionReply("always")).toEqual({ value: '"always"' });
});

test.each([
  ["No API key found; the login has expired", "auth_expired", null],
  ["403 no", "auth_invalid", 403],
  ["Incorrect API key provided", "auth_invalid", null],
  ["OAuth token expired", "provider_error", null],
  ["429 no", "rate_limited", 429],
  ["rate limit", "rate_limited", null],
  ["529 no", "overloaded", 529],
  ["Overloaded", "overloaded", null],
  ["404 model: none", "model_not_found", 404],
  ["404 no", "provider_error", 404],
  ["status code 400", "invalid_request", 400],
  ["500 connect", "provider_error", 500],
  ["500 timed out", "provider_error", 500],
])("%s is %s", (message, code, status) => {
  const { details, ...error } = errorData(message);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(details).toEqual(status === null ? undefined : { status });
});

test.each([
  ['400 {"error":{"message":"inner"}}', "400 inner"],
  ['400 {"message":"outer"}', "400 outer"],
  ['400 {"other":1}', '400 {"other":1}'],
  ["400 {broken", "400 {broken"],
])("%s is shown as %s", (text, message) => {
  expect(errorData(text).message).toBe(message);
});
