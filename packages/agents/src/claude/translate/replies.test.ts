import { describe, expect, test } from "vitest";
import { Form, formFields } from "../../forms.ts";
import type { SDKControlPermissionRequest } from "../generated/protocol.ts";
import { allowedTools, permissionReply, questionReply } from "./replies.ts";

const request: SDKControlPermissionRequest = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  tool_use_id: "toolu_1",
  input: { command: "touch x" },
  permission_suggestions: [
    { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "touch *" }], destination: "localSettings" },
    { type: "setMode", mode: "acceptEdits", destination: "session" },
    { type: "something new" },
  ],
};

describe("a permission", () => {
  test("once gives the input back", () => {
    expect(permissionReply(request, "once")).toEqual({ behavior: "allow", updatedInput: { command: "touch x" } });
  });

  test("always takes the suggested rules, for the session, and nothing else", () => {
    const reply = permissionReply(request, "always");
    expect(reply).toMatchObject({
      updatedPermissions: [
        {
          type: "addRules",
          rules: [{ toolName: "Bash", ruleContent: "touch *" }],
          behavior: "allow",
          destination: "session",
        },
      ],
    });
    expect(allowedTools(reply)).toEqual(["Bash(touch *)"]);
  });

  test("always without a suggestion is for the whole tool", () => {
    const reply = permissionReply({ ...request, permission_suggestions: [] }, "always");
    expect(allowedTools(reply)).toEqual(["Bash"]);
  });

  test("rejected lets the model go on", () => {
    const reply = permissionReply(request, "reject");
    expect(reply).toEqual({ behavior: "deny", message: expect.any(String) });
    expect(allowedTools(reply)).toEqual([]);
  });

  test("that changes the mode allows no tool", () => {
    const updatedPermissions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }] as const;
    expect(allowedTools({ behavior: "allow", updatedInput: {}, updatedPermissions: [...updatedPermissions] })).toEqual(
      [],
    );
    expect(allowedTools({ behavior: "allow", updatedInput: {} })).toEqual([]);
  });
});

describe("a question", () => {
  const pending = { kind: "question", isBackground: false, request, questions: ["Which?", "Why?", "When?"] } as const;

  test("has an answer for each question, choices joined", () => {
    const reply = questionReply(pending, [["A", "C"], ["because"]], "default");
    expect(reply.updatedInput).toEqual({ command: "touch x", answers: { "Which?": "A, C", "Why?": "because" } });
  });

  test("rejected is a refusal", () => {
    expect(questionReply(pending, null, "default")).toMatchObject({ behavior: "deny" });
  });
});

describe("a plan", () => {
  const pending = { kind: "plan", isBackground: false, request } as const;

  test.each([
    ["Approve", "default", undefined],
    ["Approve", "bypassPermissions", [{ type: "setMode", mode: "bypassPermissions", destination: "session" }]],
    ["Approve and accept edits", "default", [{ type: "setMode", mode: "acceptEdits", destination: "session" }]],
  ])("is approved by %s; the mode is %s", (answer, mode, updatedPermissions) => {
    const reply = questionReply(pending, [[answer]], mode);
    expect(reply).toMatchObject({ behavior: "allow", updatedInput: request.input });
    expect(reply.updatedPermissions).toEqual(updatedPermissions);
  });

  test.each([
    [[["Reject"]], "The user rejected the plan. Keep planning."],
    [[["Reject", "too long"]], "too long"],
    [[["use another file"]], "use another file"],
    [null, "The user rejected the plan. Keep planning."],
  ])("is rejected by %j", (answers, message) => {
    expect(questionReply(pending, answers, "default")).toEqual({ behavior: "deny", message });
  });
});

test("a form is filled in with the types it wants", () => {
  const properties = {
    name: { type: "string", title: "Name" },
    age: { type: "integer" },
    sure: { type: "boolean" },
    tags: { type: "array", items: { enum: ["a", "b"] } },
    left: { type: "string" },
  };
  const fields = formFields(Form().parse({ type: "object", properties }));
  const pending = { kind: "form", isBackground: false, fields } as const;
  const reply = questionReply(pending, [["Ada"], ["36"], ["true"], ["a", "b"]], "default");
  expect(reply).toEqual({ action: "accept", content: { name: "Ada", age: 36, sure: true, tags: ["a", "b"] } });
  expect(questionReply(pending, null, "default")).toEqual({ action: "decline" });
});
