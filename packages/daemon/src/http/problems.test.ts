/** Other errors become problems: a full disk has its own kind, the rest are internal errors. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asProblemError } from "./problems.ts";

test("a full disk is reported as such, wherever it occurs", () => {
  expect(asProblemError(failureOf(() => writeFileSync("/dev/full", "x")))).toMatchObject({
    kind: "storage_unavailable",
    message: expect.stringContaining("free some space"),
  });
});

test("any other error is an internal error without its text", () => {
  const problem = asProblemError(new Error("a secret"));
  expect(problem.kind).toBe("internal_error");
  expect(problem.message).not.toContain("secret");
});

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
