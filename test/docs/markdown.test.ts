/** Headings have the anchors that GitHub gives them. */
import { expect, test } from "vitest";
import { anchorsOf, linksOf, samplesOf } from "./markdown.ts";

test("anchors", () => {
  const anchors = anchorsOf("docs/security.md");
  expect([...anchors]).toContain("what---fs-root-does-and-does-not-do");
  expect([...anchors]).toContain("tokens-with-a-scope");
});

test("links, but none in code", () => {
  expect(linksOf("docs/sdk.md")).toContain("reference/sdk.md");
  expect(linksOf("docs/http-api.md").filter((target) => target.includes("{"))).toEqual([]);
});

test("samples with what is noted above them", () => {
  const [first] = samplesOf("docs/opencode.md");
  expect(first).toMatchObject({ language: "sh", note: "not run: OpenCode's interface needs a terminal" });
});
