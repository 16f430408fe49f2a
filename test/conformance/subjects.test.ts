/** Each agent has its own test file, so that the test runner can distribute them over its workers. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { subjects } from "./subjects.ts";

test("every subject has its file", () => {
  const files = readdirSync(join(import.meta.dirname, "agents")).map((file) => file.replace(/\.test\.ts$/, ""));
  expect(files.toSorted()).toEqual(subjects.map(({ id }) => id).toSorted());
});
