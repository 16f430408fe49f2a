import { expect, test } from "vitest";
import { titleOf } from "./title-of.ts";

test.each([
  ["Fix the tests", "Fix the tests"],
  ["\n Fix the tests\nThey fail since yesterday", "Fix the tests"],
  [`${"word ".repeat(11)}longer than fits`, `${"word ".repeat(11).trim()}…`],
  ["x".repeat(70), `${"x".repeat(60)}…`],
])("the title of %j", (message, title) => {
  expect(titleOf(message)).toBe(title);
});
