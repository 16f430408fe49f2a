import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { featuredScenarios } from "./features.ts";
import { publishedFiles, rows } from "./published.ts";

test("the tables of docs/agents.md and README are up to date; if not, run `npm run generate`", () => {
  for (const [path, text] of publishedFiles()) expect(readFileSync(path, "utf8"), path).toBe(text);
});

test("the feature checklist names scenarios that exist", () => {
  expect(featuredScenarios.filter((name) => !rows.includes(name))).toEqual([]);
});
