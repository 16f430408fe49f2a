import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpReference } from "../generate/http-reference.ts";
import { schemaSection } from "../generate/schema-section.ts";
import { oneLine, typeOf } from "../generate/schema-type.ts";
import { operations } from "./operations.ts";

const reference = httpReference();

test("docs/reference/http.md is up to date; if not, run `npm run generate`", () => {
  expect(readFileSync(join(import.meta.dirname, "../../../docs/reference/http.md"), "utf8")).toBe(reference);
});

test("every operation has a section with its method and path", () => {
  for (const [id, { method, path }] of Object.entries(operations)) {
    expect(reference).toContain(`\n### ${id}\n\n\`${method} ${path}\``);
  }
});

test("a section names scopes, body, answer, problems and parameters", () => {
  const section = reference.split("\n### ").find((text) => text.startsWith("postMessage\n"));
  expect(section).toContain("- **Scopes:** `prompt`\n");
  expect(section).toContain("- **Body:** [MessageRequest](#messagerequest)\n");
  expect(section).toContain("- **Answer:** 204, no body\n");
  expect(section).toContain("`session_not_found` (404)");
  expect(section).toContain("| `Idempotency-Key`? | header | string |");
});

describe("a type", () => {
  test.each([
    [{ $ref: "#/components/schemas/Item" }, "[Item](#item)"],
    [{ type: ["string", "null"] }, "string \\| null"],
    [{ enum: ["a", "b"] }, '`"a"` \\| `"b"`'],
    [{ type: "array", items: { type: "string" } }, "list of string"],
    [{ type: "object", additionalProperties: { type: "string" } }, "map of string to string"],
    [{ properties: { a: { type: "string" }, b: {} }, required: ["a"] }, "{ `a`: string, `b`?: any }"],
  ])("%j is written as %s", (schema, written) => expect(typeOf(schema)).toBe(written));

  test("in a cell has no line breaks, bars or HTML", () => {
    expect(oneLine("a | b\nurn:<kind> `<kept>`")).toBe("a \\| b urn:&lt;kind> `<kept>`");
  });
});

test("a union has what all variants share once", () => {
  const variant = (type: string) => ({
    properties: { id: { type: "string" }, type: { const: type } },
    required: ["id", "type"],
  });
  expect(schemaSection("Event", { oneOf: [variant("begun"), variant("over")] }).split("\n")).toEqual(
    expect.arrayContaining([
      "Always:",
      "| `id` | string |  |",
      "One of:",
      "| `type` |",
      '| `"begun"` |',
      '| `"over"` |',
    ]),
  );
});
