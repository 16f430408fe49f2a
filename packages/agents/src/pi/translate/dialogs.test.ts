/** Dialogs of Pi's extensions, notices, and turns, as far as recordings do not reach them. */
import { describe, expect, test } from "vitest";
import { errorData } from "./errors.ts";
import { mcpCall } from "./requests.ts";
import { createTranslator } from "./translator.ts";
import { createTurn } from "./turn.ts";

const translator = () => createTranslator({ directory: "/" });
const dialog = (fields: object) => ({ type: "extension_ui_request", id: "d", ...fields });

describe("a dialog of a foreign extension", () => {
  test.each([
    [{ method: "confirm", title: "Sure?", message: "It is final." }, "Sure?\n\nIt is final.", ["Yes", "No"]],
    [{ method: "select", title: "Which?", options: ["A", "B"] }, "Which?", ["A", "B"]],
    [{ method: "input", title: "Name?", placeholder: "Ada" }, "Name?\n\nAda", []],
    [{ method: "editor", title: "Text?", prefill: "Dear" }, "Text?\n\nDear", []],
  ])("%j is a question", (fields, prompt, options) => {
    expect(translator().translate(dialog(fields))).toMatchObject([
      { type: "question.requested", question: { question_id: "d", prompt, options, metadata: { tool: "extension" } } },
    ]);
  });

  test.each([
    [{ method: "notify", message: "saved" }, "Notice", "saved"],
    [{ method: "notify", message: "lost", notifyType: "error" }, "Error", "lost"],
  ])("%j is a notice", (fields, label, detail) => {
    expect(translator().translate(dialog(fields))).toMatchObject([
      { type: "item.completed", item: { kind: "status", content: [{ type: "status", label, detail }] } },
    ]);
  });

  test("that decorates the terminal is nothing", () => {
    expect(translator().translate(dialog({ method: "setStatus", message: "x" }))).toEqual([]);
  });

  test("that was not answered is withdrawn with the turn, and forgotten with the process", () => {
    const first = translator();
    first.translate(dialog({ method: "input", title: "Name?" }));
    expect(first.translate({ type: "agent_settled" })).toMatchObject([{ type: "request.withdrawn", request_id: "d" }]);
    expect(first.translate({ type: "agent_settled" })).toEqual([]);
    const second = translator();
    second.translate(dialog({ method: "input", title: "Name?" }));
    second.restarted();
    expect(second.requests.size).toBe(0);
  });
});

test.each([
  [dialog({ method: "input", title: "Name?" })],
  [dialog({ method: "input", title: "sandbox-agent/permission {}" })],
  [dialog({ method: "input" })],
  [{ type: "agent_settled" }],
])("%j is no call of an MCP tool", (raw) => {
  expect(mcpCall(raw)).toBeNull();
});

describe("compaction", () => {
  test.each([
    [{ result: { tokensBefore: 7, summary: "s" } }, "Context compacted", "7 tokens before"],
    [{ result: { summary: "s" } }, "Context compacted", null],
    [{ aborted: true }, "Context not compacted", "aborted"],
    [{ errorMessage: "no" }, "Context not compacted", "no"],
    [{ errorMessage: "no", aborted: true, result: { summary: "s" } }, "Context not compacted", "no"],
  ])("%j is a notice", (fields, label, detail) => {
    const [draft] = translator().translate({ type: "compaction_end", reason: "manual", aborted: false, ...fields });
    const [shown] = (draft?.type === "item.completed" && draft.item.content) || [];
    expect(shown).toMatchObject({ type: "status", label, ...(detail !== null && { detail }) });
  });
});

describe("a turn", () => {
  const types = (drafts: readonly { type: string }[]) => drafts.map(({ type }) => type);
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } };
  const assistant = (fields: { stopReason: string; errorMessage?: string }) => ({
    role: "assistant" as const,
    content: [],
    timestamp: 1,
    usage,
    ...fields,
  });

  test("of ours is not started again by Pi; one of its own is", () => {
    const turn = createTurn();
    expect([turn.open, turn.running, turn.aborting, turn.count]).toEqual([false, false, false, 0]);
    expect(types(turn.onAgentStart({}))).toEqual(["turn.started"]);
    expect([turn.open, turn.running, turn.count]).toEqual([true, true, 1]);
    turn.onSettled({});
    turn.send();
    expect([turn.open, turn.running, turn.count]).toEqual([true, false, 2]);
    expect(turn.onAgentStart({})).toEqual([]);
    expect([turn.running, turn.count]).toEqual([true, 2]);
  });

  test("that Pi rejects ends with the reason, or without one if there was nothing to do", () => {
    const turn = createTurn();
    expect(turn.onRejected("no", {})).toEqual([]);
    turn.send();
    expect(turn.onRejected("no", {})).toMatchObject([
      { type: "error", error: { message: expect.stringContaining("no") } },
      { type: "turn.ended", reason: "failed" },
    ]);
    turn.send();
    expect(turn.onRejected(null, {})).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
    expect(turn.onSettled({})).toEqual([]);
  });

  test("ends as its last call of the model did, unless it was aborted", () => {
    const turn = createTurn();
    turn.send();
    turn.onAssistant(assistant({ stopReason: "error", errorMessage: "500 no" }));
    turn.onAssistant(assistant({ stopReason: "stop" }));
    expect(turn.onSettled({})).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
    turn.send();
    turn.onAssistant(assistant({ stopReason: "error" }));
    expect(types(turn.onSettled({}))).toEqual(["error", "turn.ended"]);
    turn.send();
    turn.abort();
    turn.onAssistant(assistant({ stopReason: "error", errorMessage: "aborted" }));
    expect(turn.onSettled({})).toMatchObject([{ type: "turn.ended", reason: "aborted" }]);
    expect(turn.aborting).toBe(false);
    turn.send();
    turn.onAssistant(assistant({ stopReason: "aborted" }));
    expect(turn.onSettled({})).toMatchObject([{ type: "turn.ended", reason: "aborted" }]);
  });
});

test.each([
  ["401 token expired", "auth_expired"],
  ["401 no", "auth_invalid"],
])("%s is %s", (message, code) => {
  expect(errorData(message).code).toBe(code);
});
