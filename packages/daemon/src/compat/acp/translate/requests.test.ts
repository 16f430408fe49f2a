/** Permissions and questions in both directions, prompts, and the ends of turns. */
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { EventData, EventOf, QuestionData } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { diffsOf } from "./diff.ts";
import { askedUpdates, permissionReply, permissionRequest, resolvedUpdates } from "./permission.ts";
import { mcpOf, promptOf } from "./prompt.ts";
import { canChoose, choiceAnswer, choiceRequest, formAnswers, formRequest } from "./question.ts";
import { toolFace, toolKind } from "./tool.ts";
import { sessionEnd, turnEnd } from "./turn-end.ts";

describe("a permission", () => {
  const asked = {
    permission_id: "p1",
    action: "Write",
    status: "requested",
    metadata: { tool_use_id: "c1", input: { file_path: "/a.ts" } },
  } as const;

  test("is asked about the tool call it is for, with every kind of option", () => {
    const { toolCall, options } = permissionRequest("s", asked);
    expect(toolCall).toEqual({
      toolCallId: "c1",
      title: "Write /a.ts",
      kind: "edit",
      status: "pending",
      rawInput: { file_path: "/a.ts" },
      locations: [{ path: "/a.ts" }],
    });
    expect(options.map(({ kind }) => kind)).toEqual(["allow_once", "allow_always", "reject_once", "reject_always"]);
  });

  test("without a tool call is one itself, so that it has a beginning and an end", () => {
    expect(askedUpdates(asked)).toEqual([]);
    const bare = { permission_id: "p1", action: "command_execution", status: "requested", metadata: null } as const;
    expect(askedUpdates(bare)).toMatchObject([{ sessionUpdate: "tool_call", toolCallId: "p1", status: "pending" }]);
    expect(resolvedUpdates({ ...bare, status: "denied" })).toMatchObject([{ toolCallId: "p1", status: "failed" }]);
  });

  test.each([
    [{ outcome: "selected", optionId: "allow-once" }, "once", false],
    [{ outcome: "selected", optionId: "allow-always" }, "always", false],
    [{ outcome: "selected", optionId: "reject-once" }, "reject", false],
    [{ outcome: "selected", optionId: "reject-always" }, "reject", true],
    [{ outcome: "selected", optionId: "never offered" }, "reject", false],
    [{ outcome: "cancelled" }, "reject", false],
  ] as const)("answered %o is %s", (outcome, reply, forAll) => {
    expect(permissionReply(outcome)).toEqual({ reply, forAll });
  });
});

describe("a question", () => {
  const question: QuestionData = {
    question_id: "q1",
    prompt: "Colour?\nSizes?",
    options: ["Red"],
    status: "requested",
    response: null,
    metadata: {
      questions: [
        { question: "Colour?", header: "Colour", options: [{ label: "Red", description: "warm" }, { label: "Blue" }] },
        { question: "Sizes?", options: [{ label: "S" }, { label: "L" }], multiSelect: true },
      ],
    },
  };

  test("is a form with one field per question", () => {
    expect(formRequest("s", question)).toEqual({
      mode: "form",
      sessionId: "s",
      message: "Colour?\nSizes?",
      requestedSchema: {
        type: "object",
        required: ["question_0", "question_1"],
        properties: {
          question_0: {
            type: "string",
            title: "Colour",
            description: "Colour?",
            oneOf: [
              { const: "Red", title: "Red", description: "warm" },
              { const: "Blue", title: "Blue" },
            ],
          },
          question_1: {
            type: "array",
            title: "Sizes?",
            description: "Sizes?",
            items: {
              anyOf: [
                { const: "S", title: "S" },
                { const: "L", title: "L" },
              ],
            },
          },
        },
      },
    });
  });

  test.each([
    [{ action: "accept", content: { question_0: "Red", question_1: ["S", "L"] } }, [["Red"], ["S", "L"]]],
    [{ action: "accept", content: { question_0: "Red" } }, [["Red"], []]],
    [{ action: "accept" }, null],
    [{ action: "decline" }, null],
    [{ action: "cancel" }, null],
  ])("answered by form with %o is %o", (response, answers) => {
    expect(formAnswers(question, response)).toEqual(answers);
  });

  test("is a choice where there are no forms", () => {
    expect(choiceRequest("s", question, 0)).toMatchObject({
      toolCall: { toolCallId: "q1/0", title: "Colour?" },
      options: [{ name: "Red", kind: "allow_once" }, { name: "Blue" }, { kind: "reject_once" }],
    });
    expect(choiceAnswer(question, 0, { outcome: "selected", optionId: "1" })).toBe("Blue");
    expect(choiceAnswer(question, 0, { outcome: "selected", optionId: "reject" })).toBeNull();
    expect(choiceAnswer(question, 0, { outcome: "cancelled" })).toBeNull();
  });

  test("with nothing to choose from cannot be a choice", () => {
    expect(canChoose(question)).toBe(true);
    expect(canChoose({ ...question, options: [], metadata: null })).toBe(false);
  });
});

describe("a prompt", () => {
  const keep = async (data: string, mime: string) => `/kept/${data}.${mime.split("/")[1]}`;

  test("becomes text and attachments", async () => {
    const prompt = await promptOf(
      [
        { type: "text", text: "Look at this:" },
        { type: "image", data: "abc", mimeType: "image/png" },
        { type: "resource_link", uri: "file:///a%20b.ts", name: "a b.ts" },
        { type: "resource_link", uri: "https://example.com/x", name: "x" },
        { type: "resource", resource: { uri: "file:///c.ts", text: "const c = 1;" } },
        { type: "resource", resource: { uri: "file:///d", blob: "def", mimeType: "application/pdf" } },
      ],
      keep,
    );
    expect(prompt).toEqual({
      message:
        'Look at this:\n\n[x](https://example.com/x)\n\n<resource uri="file:///c.ts">\nconst c = 1;\n</resource>',
      attachments: [
        { path: "/kept/abc.png", mime: "image/png" },
        { path: "/a b.ts", filename: "a b.ts" },
        { path: "/kept/def.pdf", mime: "application/pdf" },
      ],
    });
  });

  test("with a file alone names it", async () => {
    const { message } = await promptOf([{ type: "resource_link", uri: "file:///a.ts", name: "a.ts" }], keep);
    expect(message).toBe("/a.ts");
  });

  test.each([[[]], [[{ type: "text" as const, text: " \n" }]]])("without anything is refused: %o", async (blocks) => {
    await expect(promptOf(blocks, keep)).rejects.toThrow("the prompt is empty");
  });

  test("brings MCP servers", () => {
    expect(
      mcpOf([
        { name: "a", command: "a-mcp", args: ["-v"], env: [{ name: "KEY", value: "1" }] },
        { name: "b", type: "sse", url: "http://localhost/b", headers: [{ name: "X", value: "y" }] },
      ]),
    ).toEqual({
      a: { type: "stdio", command: "a-mcp", args: ["-v"], env: { KEY: "1" } },
      b: { type: "http", url: "http://localhost/b", headers: { X: "y" }, transport: "sse" },
    });
  });
});

describe("the end of a turn", () => {
  const ended = (metadata: EventData<"turn.ended">["metadata"]) => event("turn.ended", { phase: "ended", metadata });
  const failure = { message: "no more tokens", code: "rate_limit", details: { status: 429 } };

  test.each([
    ["completed", null, "end_turn"],
    ["aborted", null, "cancelled"],
    ["aborted", failure, "cancelled"],
    ["terminated", null, "cancelled"],
  ] as const)("%s with failure %o is %s", (reason, error, stopReason) => {
    expect(turnEnd(ended({ reason }), error, "mock")).toEqual({ stopReason });
  });

  test("carries its usage", () => {
    expect(turnEnd(ended({ usage: { input_tokens: 2, output_tokens: 3, cached_tokens: 1 } }), null, "mock")).toEqual({
      stopReason: "end_turn",
      usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5, cachedReadTokens: 1 },
    });
  });

  test.each(["completed", "failed"] as const)("whose last word is an error fails, %s or not", (reason) => {
    const end = turnEnd(ended({ reason }), failure, "mock");
    expect(end).toBeInstanceOf(RequestError);
    expect(end).toMatchObject({
      code: -32603,
      message: "no more tokens",
      data: { type: "rate_limit", details: { status: 429 } },
    });
  });

  test("that was cut short has the reason", () => {
    expect(turnEnd(ended({ reason: "interrupted" }), null, "mock")).toMatchObject({
      code: -32603,
      message: "the turn was interrupted",
    });
  });

  describe("of an agent that has exited", () => {
    const stderr = { head: "oh no", tail: null, truncated: false, total_lines: 1 };
    const error = {
      code: -32603,
      message: "it died",
      data: { type: "agent_process_exited", agent: "mock", exitCode: 3, stderr },
    };

    test("names exit code and stderr", () => {
      const exit = { message: "it died", code: "process_exit", details: { exit_code: 3, stderr } };
      expect(turnEnd(ended({ reason: "failed" }), exit, "mock")).toMatchObject(error);
    });

    test("names them when it ends the session", () => {
      const data = { reason: "error", terminated_by: "agent", message: "it died", exit_code: 3, stderr } as const;
      expect(sessionEnd(event("session.ended", data), "mock")).toMatchObject(error);
    });
  });
});

describe("tools", () => {
  test.each([
    ["Bash", "execute"],
    ["command_execution", "execute"],
    ["Read", "read"],
    ["Edit", "edit"],
    ["apply_patch", "edit"],
    ["file_change", "edit"],
    ["Grep", "search"],
    ["WebFetch", "fetch"],
    ["WebSearch", "search"],
    ["Task", "think"],
    ["mcp__lab__ping", "other"],
  ])("%s is of kind %s", (name, kind) => {
    expect(toolKind(name)).toBe(kind);
  });

  test.each([
    [{ command: ["ls", "-l"] }, "ls -l"],
    [{ path: "/a" }, "tool /a"],
    [{ query: "x" }, "tool x"],
    ["half an argu", "tool"],
    [null, "tool"],
  ])("with %o is called %s", (input, title) => {
    expect(toolFace("tool", input).title).toBe(title);
  });
});

describe("a unified diff", () => {
  test("is one pair of texts per hunk", () => {
    const diff =
      "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9,3 @@ function x\n c\n+d\n e\n\\ No newline at end of file\n";
    expect(diffsOf("/f", diff)).toEqual([
      { path: "/f", oldText: "a\n", newText: "b\n" },
      { path: "/f", oldText: "c\ne\n", newText: "c\nd\ne\n" },
    ]);
  });

  test("of a new file has nothing before", () => {
    expect(diffsOf("/f", "@@ -0,0 +1 @@\n+a\n")).toEqual([{ path: "/f", oldText: null, newText: "a\n" }]);
  });

  test("that is none is nothing", () => {
    expect(diffsOf("/f", "")).toEqual([]);
  });
});

function event<T extends "turn.ended" | "session.ended">(type: T, data: EventData<T>) {
  return {
    event_id: "evt_1",
    sequence: 1,
    time: "2026-01-01T00:00:00.000Z",
    session_id: "s",
    native_session_id: null,
    source: "agent",
    synthetic: false,
    type,
    data,
  } as EventOf<T>;
}
