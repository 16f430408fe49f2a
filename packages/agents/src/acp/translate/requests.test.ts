/** Permissions, plans, questions and forms of ACP agents, and what is answered to them. */
import { describe, expect, test } from "vitest";
import { Elicitation, PermissionRequest } from "../native.ts";
import { formQuestion, formReply, questionFields } from "./elicitation.ts";
import { isAllowed, isPlanReview, permissionDraft, permissionReply, planQuestion, planReply } from "./permission.ts";
import { userAnswer, userQuestion } from "./user-question.ts";

const option = (kind: string, name = kind) => ({ optionId: `id-${kind}`, name, kind });
const all = ["allow_always", "allow_once", "reject_once", "reject_always"].map((kind) => option(kind));
const request = (toolCall: object = {}, options: object[] = all) =>
  PermissionRequest().parse({ toolCall: { toolCallId: "t", ...toolCall }, options });
const call = (fields: object = {}) => ({ name: "shell", kind: null, input: {}, ...fields });
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
const cancelled = { outcome: { outcome: "cancelled" } };

describe("a permission", () => {
  test("shows what the request has, else what is known of the call", () => {
    const known = call({ kind: "execute", input: { command: "ls" } });
    expect(permissionDraft("r", request(), known)).toEqual({
      type: "permission.requested",
      permission: {
        permission_id: "r",
        action: "shell",
        metadata: {
          tool: "shell",
          tool_call_id: "t",
          kind: "execute",
          input: { command: "ls" },
          command: "ls",
          options: all,
        },
      },
    });
    const shown = {
      title: "Edit",
      kind: "edit",
      rawInput: { command: 7 },
      locations: [{ path: "/a" }, { path: "/b" }],
    };
    const draft = permissionDraft("r", request(shown), known);
    expect(draft.type === "permission.requested" && draft.permission.metadata).toEqual({
      tool: "shell",
      tool_call_id: "t",
      title: "Edit",
      kind: "edit",
      input: { command: 7 },
      path: "/a",
      options: all,
    });
  });

  test.each([[null], ["text"], [{}]])("of the input %j has no command", (rawInput) => {
    const draft = permissionDraft("r", request({ rawInput }), call({ input: rawInput }));
    expect(draft.type === "permission.requested" && draft.permission.metadata).not.toHaveProperty("command");
  });

  test.each([
    ["once", all, chosen("id-allow_once")],
    ["always", all, chosen("id-allow_always")],
    ["reject", all, chosen("id-reject_once")],
    ["once", [option("allow_always")], chosen("id-allow_always")],
    ["always", [option("allow_once")], chosen("id-allow_once")],
    ["reject", [option("reject_always")], chosen("id-reject_always")],
    ["reject", [option("allow_once"), option("allow_always")], cancelled],
    ["once", [option("reject_once")], cancelled],
    ["once", [], cancelled],
  ] as const)("is answered %s to %j", (reply, options, expected) => {
    expect(permissionReply(request({}, [...options]), reply)).toEqual(expected);
  });

  test.each([
    ["bypass", null, true],
    ["acceptEdits", "edit", true],
    ["acceptEdits", "execute", false],
    ["default", "edit", false],
  ] as const)("in the mode %s, of the kind %s, is given: %s", (mode, kind, expected) => {
    expect(isAllowed(request({ kind }), call(), mode)).toBe(expected);
    expect(isAllowed(request(), call({ kind }), mode)).toBe(expected);
  });
});

describe("a plan", () => {
  test.each([
    [{ kind: "switch_mode" }, {}, true],
    [{}, { kind: "switch_mode" }, true],
    [{ kind: "edit" }, { kind: "switch_mode" }, false],
    [{}, { name: "ExitPlanMode" }, true],
    [{}, { name: "exit_plan_mode" }, true],
    [{}, {}, false],
  ])("is asked about by %j of the call %j: %s", (toolCall, known, expected) => {
    expect(isPlanReview(request(toolCall), call(known))).toBe(expected);
  });

  const text = (words: string) => ({ type: "content", content: { type: "text", text: words } });
  test.each([
    [{ title: "Ready?", content: [text("one"), text("two"), { type: "diff" }] }, {}, "Ready?", "one\ntwo"],
    [{ rawInput: { plan: "asked" } }, { input: { plan: "known" } }, "Approve this plan?", "asked"],
    [{}, { input: { plan: "known" } }, "Approve this plan?", "known"],
    [{ rawInput: "text" }, { input: { plan: 7 } }, "Approve this plan?", ""],
    [{ rawInput: null }, { input: null }, "Approve this plan?", ""],
  ])("%j of the call %j is shown under %j", (toolCall, known, question, plan) => {
    const options = [option("allow_once", "Yes"), option("reject_once", "No")];
    expect(planQuestion("r", request(toolCall, options), call(known))).toEqual({
      type: "question.requested",
      question: {
        question_id: "r",
        prompt: plan ? `${question}\n\n${plan}` : question,
        options: ["Yes", "No"],
        metadata: {
          tool: "shell",
          tool_call_id: "t",
          ...(plan && { plan }),
          questions: [
            {
              question,
              header: "Plan",
              options: [
                { label: "Yes", description: "" },
                { label: "No", description: "" },
              ],
              multiSelect: false,
            },
          ],
        },
      },
    });
  });

  test.each([
    [[["Yes"]], "id-allow_once"],
    [[["No"]], "id-reject_once"],
    [[["in my own words"]], "id-reject_once"],
    [null, "id-reject_once"],
  ])("is answered with %j", (answers, expected) => {
    const options = [option("allow_once", "Yes"), option("reject_once", "No")];
    expect(planReply(request({}, options), answers)).toEqual(chosen(expected));
  });
});

describe("a question that comes as a permission", () => {
  const questions = [
    { question: "Which?", header: "H", options: [{ label: "A", description: "a" }, { label: "B" }], multiSelect: true },
    { question: "Why?" },
  ];
  const requested = call({ name: "ask_user_question", input: { questions } });

  test("has all questions; the options are those of the first", () => {
    expect(userQuestion("r", request(), requested)).toEqual({
      type: "question.requested",
      question: {
        question_id: "r",
        prompt: "Which?\nWhy?",
        options: ["A", "B"],
        metadata: {
          tool: "ask_user_question",
          tool_call_id: "t",
          questions: [
            {
              question: "Which?",
              header: "H",
              options: [
                { label: "A", description: "a" },
                { label: "B", description: "" },
              ],
              multiSelect: true,
            },
            { question: "Why?", header: "", options: [], multiSelect: false },
          ],
        },
      },
    });
    const other = request({ rawInput: { questions: [{ question: "Other?" }] } });
    expect(userQuestion("r", other, requested)).toMatchObject({ question: { prompt: "Other?" } });
  });

  test.each([
    ["shell", { questions }],
    ["ask_user_question", { questions: [] }],
    ["ask_user_question", {}],
  ])("is none: %s %j", (name, input) => {
    expect(userQuestion("r", request(), call({ name, input }))).toBeNull();
  });

  test("is answered by the numbers of the questions", () => {
    expect(userAnswer(request(), [["A", "B"], ["because"]])).toEqual({
      ...chosen("id-allow_once"),
      answers: { "0": "A, B", "1": "because" },
    });
    expect(userAnswer(request(), null)).toEqual(chosen("id-reject_once"));
  });
});

describe("a form", () => {
  const form = (properties: object, required?: string[], more: object = {}) =>
    Elicitation().parse({ mode: "form", message: "Fill in", requestedSchema: { properties, required }, ...more });

  test("has a question for each field, with its choices", () => {
    const request = form({
      name: { type: "string", title: "Name", description: "ignored" },
      age: { type: "integer", description: "Your age" },
      sure: { type: "boolean" },
      colour: { type: "string", enum: ["red"] },
      tags: { type: "array", items: { enum: ["a"] } },
      one: { type: "string", oneOf: [{ const: "1", title: "One", description: "first" }, { const: "2" }] },
      some: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
    });
    const draft = formQuestion("r", request, questionFields(request));
    const question = (label: string, options: [string, string][], multiSelect: boolean) => ({
      question: label,
      header: "",
      options: options.map(([each, description]) => ({ label: each, description })),
      multiSelect,
    });
    expect(draft.type === "question.requested" && draft.question).toEqual({
      question_id: "r",
      prompt: "Fill in\nName\nYour age\nsure\ncolour\ntags\none\nsome",
      options: [],
      metadata: {
        tool: "elicitation",
        questions: [
          question("Name", [], false),
          question("Your age", [], false),
          question(
            "sure",
            [
              ["true", ""],
              ["false", ""],
            ],
            false,
          ),
          question("colour", [["red", ""]], false),
          question("tags", [["a", ""]], true),
          question(
            "one",
            [
              ["One", "first"],
              ["2", ""],
            ],
            false,
          ),
          question("some", [["X", ""]], true),
        ],
      },
    });
  });

  test("without fields is done when the user answers", () => {
    const request = form({}, undefined, { message: "", toolCallId: "t" });
    expect(formQuestion("r", request, questionFields(request))).toMatchObject({
      question: { prompt: "", options: ["Done"], metadata: { tool_call_id: "t" } },
    });
  });

  test("is answered in the types of its fields; a choice stands for its value", () => {
    const fields = questionFields(
      form({
        age: { type: "integer" },
        one: { type: "string", oneOf: [{ const: "1", title: "One" }] },
        tags: { type: "array", items: { enum: ["a", "b"] } },
        free: { type: "string", enum: ["a"] },
        left: { type: "string" },
      }),
    );
    expect(formReply(fields, [["36"], ["One"], ["a", "b"], ["own words"]])).toEqual({
      action: "accept",
      content: { age: 36, one: "1", tags: ["a", "b"], free: "own words" },
    });
    expect(formReply(fields, null)).toEqual({ action: "decline" });
  });

  describe("with a note beside a choice", () => {
    const choice = {
      type: "string",
      oneOf: [
        { const: "a", title: "A" },
        { const: "none", title: "None of the above" },
        { const: "b", title: "B" },
      ],
    };
    const note = { type: "string" };

    test("asks one question, without the choice that stands for the note", () => {
      const fields = questionFields(form({ pick: choice, pick_note: note, alone_note: note }));
      expect(fields.map(({ name, choices }) => [name, choices.map(({ label }) => label)])).toEqual([
        ["pick", ["A", "B"]],
        ["alone_note", []],
      ]);
    });

    test("offers that choice when there is no note", () => {
      const [field] = questionFields(form({ pick: choice }));
      expect(field?.choices.map(({ label }) => label)).toEqual(["A", "None of the above", "B"]);
    });

    test.each([
      [["pick"], ["A"], { pick: "a" }],
      [["pick"], ["own words"], { pick: "none", pick_note: "own words" }],
      [["pick"], ["A", "own words"], { pick: "none", pick_note: "A, own words" }],
      [undefined, ["own words"], { pick_note: "own words" }],
      [["pick"], [], {}],
    ])("required: %j, answered with %j", (required, answer, content) => {
      const fields = questionFields(form({ pick: choice, pick_note: note }, required));
      expect(formReply(fields, [answer])).toEqual({ action: "accept", content });
    });

    test("takes the last choice for own words if none stands for them", () => {
      const fields = questionFields(form({ pick: { type: "string", enum: ["a", "b"] }, pick_custom: note }, ["pick"]));
      expect(formReply(fields, [["own"]])).toEqual({ action: "accept", content: { pick: "b", pick_custom: "own" } });
    });

    test("is plain text if there are no choices", () => {
      const fields = questionFields(form({ pick: { type: "string" }, pick_note: note }, ["pick"]));
      expect(formReply(fields, [["own"]])).toEqual({ action: "accept", content: { pick: "own" } });
    });
  });
});
