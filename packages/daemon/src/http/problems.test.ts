/** What is not a problem yet becomes one: of the disk where it is to blame, of the daemon otherwise. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asProblemError } from "./problems.ts";

test("a full disk is told as such, whoever ran into it", () => {
  expect(asProblemError(failureOf(() => writeFileSync("/dev/full", "x")))).toMatchObject({
    kind: "storage_unavailable",
    message: expect.stringContaining("free some space"),
  });
});

test("anything else is a failure of the daemon, and keeps its text to itself", () => {
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
