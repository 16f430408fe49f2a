import { describe, expect, test } from "vitest";
import type { SDKControlPermissionRequest } from "../generated/protocol.ts";
import { formRequest, toolRequest } from "./requests.ts";

const request = (
  tool_name: string,
  input: Record<string, unknown>,
  more: object = {},
): SDKControlPermissionRequest => ({
  subtype: "can_use_tool",
  tool_name,
  tool_use_id: "t",
  input,
  ...more,
});
const draftOf = (tool: string, input: Record<string, unknown>, more?: object) =>
  toolRequest("r", request(tool, input, more), {}).draft;

describe("a permission", () => {
  test.each([
    ["Bash", { command: "ls" }, { command: "ls" }],
    ["Edit", { file_path: "/f" }, { path: "/f" }],
    ["NotebookEdit", { notebook_path: "/n" }, { path: "/n" }],
    ["Grep", { path: "/p" }, { path: "/p" }],
    ["Odd", { command: 1, path: 2 }, {}],
  ])("of %s %j names what it is about", (tool, input, known) => {
    const metadata = { tool, input, tool_use_id: "t", ...known };
    expect(draftOf(tool, input)).toEqual({
      type: "permission.requested",
      permission: { permission_id: "r", action: tool, metadata },
      raw: {},
    });
  });

  test("has the reasons that the agent gave, without empty ones", () => {
    const draft = draftOf("Bash", {}, { description: "run", title: "", decision_reason: null, blocked_path: "/q" });
    expect(draft).toMatchObject({ permission: { metadata: { description: "run", blocked_path: "/q" } } });
    expect(draft.type === "permission.requested" && Object.keys(draft.permission.metadata ?? {})).toEqual([
      "tool",
      "input",
      "tool_use_id",
      "description",
      "blocked_path",
    ]);
  });
});

test.each(["Bash", "AskUserQuestion", "ExitPlanMode"])("%s of a subagent is one in the background", (tool) => {
  const isBackground = (more: object) => toolRequest("r", request(tool, {}, more), {}).pending.isBackground;
  expect([isBackground({}), isBackground({ agent_id: "a" })]).toEqual([false, true]);
});

describe("a question", () => {
  test("has all that is asked; the options are those of the first", () => {
    const questions = [
      { question: "Which?", options: [{ label: "A" }, { label: "B", description: "b" }] },
      { question: "Why?", header: "Reason", multiSelect: true },
    ];
    expect(draftOf("AskUserQuestion", { questions })).toMatchObject({
      question: {
        prompt: "Which?\nWhy?",
        options: ["A", "B"],
        metadata: {
          questions: [
            {
              question: "Which?",
              header: "",
              options: [
                { label: "A", description: "" },
                { label: "B", description: "b" },
              ],
              multiSelect: false,
            },
            { question: "Why?", header: "Reason", options: [], multiSelect: true },
          ],
        },
      },
    });
  });

  test("that cannot be read is asked without words", () => {
    expect(draftOf("AskUserQuestion", {})).toMatchObject({ question: { prompt: "", options: [] } });
  });
});

test.each([
  [{}, "Approve this plan?", { plan: "" }],
  [
    { plan: "first this", planFilePath: "/plan.md" },
    "Approve this plan?\n\nfirst this",
    { plan: "first this", planFilePath: "/plan.md" },
  ],
])("the plan %j is a question", (input, prompt, known) => {
  const draft = draftOf("ExitPlanMode", input);
  expect(draft).toMatchObject({
    question: {
      prompt,
      options: ["Approve", "Approve and accept edits", "Reject"],
      metadata: { ...known, questions: [{ header: "Plan", multiSelect: false }] },
    },
  });
  expect(draft.type === "question.requested" && draft.question.metadata).toHaveProperty("tool_use_id", "t");
});

describe("a form", () => {
  const ask = (more: object) =>
    formRequest("r", { subtype: "elicitation", mcp_server_name: "srv", message: "Fill in", ...more }, {});

  test("asks a question for each of its fields", () => {
    const properties = { sure: { type: "boolean" }, tags: { type: "array", items: { enum: ["a"] } } };
    const { pending, draft } = ask({ requested_schema: { type: "object", properties } });
    expect(pending).toMatchObject({ kind: "form", isBackground: false, fields: [{ name: "sure" }, { name: "tags" }] });
    expect(draft).toMatchObject({
      question: {
        prompt: "Fill in",
        options: ["true", "false"],
        metadata: {
          server: "srv",
          questions: [
            { question: "sure", header: "srv", options: [{ label: "true" }, { label: "false" }], multiSelect: false },
            { question: "tags", options: [{ label: "a" }], multiSelect: true },
          ],
        },
      },
    });
  });

  test("at an address is done when the user answers", () => {
    expect(ask({ url: "https://a.example" }).draft).toMatchObject({
      question: { prompt: "Fill in\n\nhttps://a.example", options: ["Done"] },
    });
  });

  test("asks by the description of a field, else by its title or name", () => {
    const properties = {
      a: { type: "string", title: "Title", description: "Description" },
      b: { type: "string", title: "Title", enum: ["x", "y"] },
      c: { type: ["string", "null"] },
    };
    expect(ask({ requested_schema: { properties } }).draft).toMatchObject({
      question: {
        metadata: {
          questions: [
            { question: "Description", options: [] },
            { question: "Title", options: [{ label: "x" }, { label: "y" }] },
            { question: "c", options: [], multiSelect: false },
          ],
        },
      },
    });
  });
});
