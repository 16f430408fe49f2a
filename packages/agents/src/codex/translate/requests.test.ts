/** Requests of Codex and the answers to them, plans, and notices, through the translator. */
import { describe, expect, test } from "vitest";
import { planDecision } from "./plan.ts";
import { nativeSettings } from "./settings.ts";
import { createTranslator } from "./translator.ts";

const address = { threadId: "root", turnId: "t1" };
const translator = () => createTranslator({ threadId: "root", serverId: "run", hasKey: true });
type Codex = ReturnType<typeof translator>;

function requested(method: string, params: object, codex = translator()) {
  const { drafts } = codex.request(1, { id: 1, method, params: { ...address, itemId: "i", ...params } });
  const answer = codex.takeAnswer("run-1");
  return { draft: drafts[0], answer };
}

function replies(answer: ReturnType<Codex["takeAnswer"]>) {
  return answer?.on === "permission" ? (["once", "always", "reject"] as const).map((each) => answer.reply(each)) : [];
}

describe("a permission", () => {
  test.each([
    ["item/commandExecution/requestApproval", {}, { command: null, cwd: null, reason: null }],
    [
      "item/commandExecution/requestApproval",
      { command: "ls", cwd: "/w", reason: "r" },
      { command: "ls", cwd: "/w", reason: "r" },
    ],
    ["item/fileChange/requestApproval", {}, { reason: null, grant_root: null, files: [] }],
    ["item/fileChange/requestApproval", { reason: "r", grantRoot: "/g" }, { reason: "r", grant_root: "/g" }],
  ])("%s with %j", (method, params, metadata) => {
    const { draft, answer } = requested(method, params);
    expect(draft).toMatchObject({ permission: { permission_id: "run-1", metadata: { item_id: "i", ...metadata } } });
    expect(replies(answer)).toEqual([
      { decision: "accept" },
      { decision: "acceptForSession" },
      { decision: "decline" },
    ]);
  });

  test("of a file change shows the changes of its item", () => {
    const codex = translator();
    const item = {
      type: "fileChange",
      id: "i",
      status: "inProgress",
      changes: [{ path: "/f", kind: { type: "add" }, diff: "a\n" }],
    };
    codex.notification({ method: "item/started", params: { ...address, item } });
    expect(requested("item/fileChange/requestApproval", {}, codex).draft).toMatchObject({
      permission: { metadata: { files: [{ path: "/f", action: "write" }] } },
    });
  });

  test("for more than the sandbox allows is given for the turn or the session", () => {
    const permissions = { network: { enabled: true } };
    const { draft, answer } = requested("item/permissions/requestApproval", { cwd: "/w", permissions });
    expect(draft).toMatchObject({ permission: { action: "permissions", metadata: { reason: null, permissions } } });
    expect(replies(answer)).toEqual([
      { permissions, scope: "turn" },
      { permissions, scope: "session" },
      { permissions: {}, scope: "turn" },
    ]);
  });
});

test("questions are answered by their ids, those without an answer left out", () => {
  const questions = [
    { id: "a", question: "Which?", header: "H", options: [{ label: "A", description: "" }], isOther: true },
    { id: "b", question: "Why?", header: "H", isSecret: true },
  ];
  const { draft, answer } = requested("item/tool/requestUserInput", { questions });
  expect(draft).toMatchObject({
    question: {
      prompt: "Which?",
      options: ["A"],
      metadata: {
        questions: [
          { question: "Which?", multiSelect: false, freeText: true, secret: false },
          { question: "Why?", options: [], multiSelect: false, freeText: false, secret: true },
        ],
      },
    },
  });
  const reply = answer?.on === "question" ? answer.reply : () => null;
  expect(reply([["A"]])).toEqual({ answers: { a: { answers: ["A"] } } });
  expect(reply([["A"], ["because"]])).toEqual({ answers: { a: { answers: ["A"] }, b: { answers: ["because"] } } });
  expect(reply(null)).toEqual({ answers: {} });
  expect(requested("item/tool/requestUserInput", { questions: [] }).draft).toMatchObject({
    question: { prompt: "", options: [] },
  });
});

describe("a plan", () => {
  const turn = (status: string) => ({ ...address, turn: { id: "t1", status } });

  function planned(status = "completed", threadId = "root") {
    const codex = translator();
    codex.notification({ method: "turn/started", params: turn("inProgress") });
    const item = { type: "plan", id: "p", text: "first this" };
    codex.notification({ method: "item/completed", params: { ...address, threadId, item } });
    const { drafts } = codex.notification({ method: "turn/completed", params: turn(status) });
    return { codex, drafts };
  }

  test("is a question at the end of its turn", () => {
    const { codex, drafts } = planned();
    expect(drafts).toMatchObject([
      {
        type: "question.requested",
        question: {
          question_id: "t1-plan-approval",
          options: ["Approve", "Approve and accept edits", "Reject"],
          metadata: { plan: "first this", questions: [{ multiSelect: false }] },
        },
      },
    ]);
    expect(codex.openPlan).toBe("t1-plan-approval");
    expect(codex.endPlan()).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
    expect(codex.openPlan).toBeNull();
    expect(codex.endPlan()).toEqual([]);
  });

  test("can be aborted, or forgotten", () => {
    expect(planned().codex.endPlan("aborted")).toMatchObject([{ type: "turn.ended", reason: "aborted" }]);
    const { codex } = planned();
    codex.forgetPlan();
    expect([codex.openPlan, codex.endPlan()]).toEqual([null, []]);
  });

  test.each([
    ["interrupted", "root", "aborted"],
    ["failed", "root", "failed"],
    ["completed", "sub", "completed"],
  ])("is no question when the turn is %s, or in the thread %s", (status, threadId, reason) => {
    const { codex, drafts } = planned(status, threadId);
    expect(drafts).toMatchObject([{ type: "turn.ended", reason }]);
    expect(codex.openPlan).toBeNull();
  });

  test.each([
    [[["Approve"]], "default"],
    [[["Approve and accept edits"]], "acceptEdits"],
    [[["Reject"]], null],
    [null, null],
  ])("answered with %j goes on as %s", (answers, decision) => {
    expect(planDecision(answers)).toBe(decision);
  });
});

test("a turn goes on while a subagent works", () => {
  const codex = translator();
  const note = (method: string, threadId: string, status: string) =>
    codex.notification({ method, params: { threadId, turn: { id: threadId, status } } }).drafts;
  expect(note("turn/started", "root", "inProgress")).toMatchObject([{ type: "turn.started" }]);
  expect(note("turn/started", "sub", "inProgress")).toEqual([]);
  expect(codex.running.size).toBe(2);
  expect(note("turn/completed", "root", "completed")).toEqual([]);
  expect(note("turn/completed", "sub", "completed")).toMatchObject([{ type: "turn.ended", reason: "completed" }]);
});

describe("a notice", () => {
  const shown = (method: string, params: object) => {
    const draft = translator().notification({ method, params }).drafts.at(-1);
    return draft?.type === "item.completed" ? draft.item.content : null;
  };

  test.each([
    ["warning", { message: "w" }, "Warning", "w"],
    ["configWarning", { summary: "s", details: "d" }, "Configuration warning", "s\nd"],
    ["configWarning", { summary: "s" }, "Configuration warning", "s"],
    ["deprecationNotice", { summary: "s", details: "d" }, "Deprecation notice", "s\nd"],
    ["deprecationNotice", { summary: "s", details: null }, "Deprecation notice", "s"],
    ["mcpServer/startupStatus/updated", { name: "m", status: "failed", error: "no" }, "MCP server m failed", "no"],
    ["mcpServer/startupStatus/updated", { name: "m", status: "failed" }, "MCP server m failed", undefined],
    [
      "item/commandExecution/terminalInteraction",
      { ...address, itemId: "i", processId: "1", stdin: "y" },
      "Input to the command",
      "y",
    ],
    ["item/mcpToolCall/progress", { ...address, itemId: "i", message: "half" }, "Progress", "half"],
  ])("%s %j", (method, params, label, detail) => {
    expect(shown(method, params)?.[0]).toEqual({ type: "status", label, ...(detail && { detail }) });
  });

  test.each([
    ["mcpServer/startupStatus/updated", { name: "m", status: "ready" }],
    ["item/commandExecution/terminalInteraction", { ...address, itemId: "i", processId: "1", stdin: "" }],
  ])("is none: %s %j", (method, params) => {
    expect(shown(method, params)).toBeNull();
  });

  test("the list of todos, with the reason for its change", () => {
    const plan = [
      { step: "one", status: "completed" },
      { step: "two", status: "inProgress" },
    ];
    expect(shown("turn/plan/updated", { ...address, explanation: "why", plan })).toEqual([
      { type: "status", label: "Todo list", detail: "why" },
      {
        type: "json",
        json: {
          todos: [
            { content: "one", status: "completed" },
            { content: "two", status: "in_progress" },
          ],
        },
      },
    ]);
  });
});

test("a message of ours is not emitted again; one of another client is", () => {
  const codex = translator();
  const content = [
    { type: "text", text: "hi" },
    { type: "localImage", path: "/a.png" },
  ];
  const echo = (threadId = "root") =>
    codex.notification({
      method: "item/completed",
      params: { ...address, threadId, item: { type: "userMessage", id: "u", content } },
    }).drafts;
  codex.expectUserMessage();
  expect(echo("sub")).toHaveLength(2);
  expect(echo()).toEqual([]);
  expect(echo().at(-1)).toMatchObject({
    item: { role: "user", content: [{ type: "text", text: "hi\n[localImage]" }] },
  });
});

test("with a sandbox, blocked actions need approval and the network is disabled", () => {
  const settings = { agentMode: "build", permissionMode: "acceptEdits", model: null, variant: null } as const;
  expect(nativeSettings(settings, true)).toEqual({
    approvalPolicy: {
      granular: {
        sandbox_approval: true,
        rules: true,
        skill_approval: true,
        request_permissions: true,
        mcp_elicitations: true,
      },
    },
    sandbox: "workspace-write",
    sandboxPolicy: { type: "workspaceWrite", networkAccess: false, excludeSlashTmp: false, excludeTmpdirEnvVar: false },
  });
  expect(nativeSettings({ ...settings, permissionMode: "default" }, true).sandboxPolicy).toEqual({
    type: "readOnly",
    networkAccess: false,
  });
});
