/** Forms: how a JSON Schema becomes fields with choices, and answers become values. */
import { describe, expect, test } from "vitest";
import { Form, formContent, formFields } from "./forms.ts";

const fieldsOf = (properties: object, booleans?: string[]) => formFields(Form().parse({ properties }), booleans);

describe("the choices of a field", () => {
  test.each([
    [{ type: "string" }, []],
    [{ type: "boolean" }, ["true", "false"]],
    [{ type: "string", enum: ["a", "b"] }, ["a", "b"]],
    [{ type: "array", items: { enum: ["a"] } }, ["a"]],
    [{ type: "string", oneOf: [{ const: "1", title: "One" }, { const: "2" }] }, ["One", "2"]],
    [{ type: "array", items: { anyOf: [{ const: "1", title: "One" }] } }, ["One"]],
    [{ type: ["string", "null"], enum: [1], oneOf: "strange", items: null }, []],
  ])("of %j are %j", (property, labels) => {
    const [field] = fieldsOf({ property });
    expect(field?.choices.map(({ label }) => label)).toEqual(labels);
  });

  test("that is true or false may be named otherwise", () => {
    const [field] = fieldsOf({ sure: { type: "boolean" } }, ["Yes", "No"]);
    expect(field?.choices.map(({ label }) => label)).toEqual(["Yes", "No"]);
  });
});

test("answers are values of the types that the fields want; what was not answered is left out", () => {
  const fields = fieldsOf({
    name: { type: "string" },
    size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
    tags: { type: "array", items: { enum: ["x", "y"] } },
    sure: { type: "boolean" },
    count: { type: "integer" },
    left: { type: "string" },
  });
  expect(formContent(fields, [["Ada"], ["Small"], ["x", "other"], ["yes"], ["7"]])).toEqual({
    name: "Ada",
    size: "s",
    tags: ["x", "other"],
    sure: true,
    count: 7,
  });
  expect(formContent(fields, [[], [], [], ["No"]])).toEqual({ sure: false });
});

test("an invalid form has no fields", () => {
  expect([{}, { properties: 7 }].map((schema) => formFields(Form().parse(schema)))).toEqual([[], []]);
});
