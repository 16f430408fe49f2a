import { ProblemError } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { agentProblem } from "./agent-problem.ts";

const problemOf = (error: unknown) => agentProblem("claude", "did not begin the session", error);

test("the problem has the agent's own message", () => {
  expect(problemOf(new Error("no such model"))).toMatchObject({
    kind: "stream_error",
    message: expect.stringContaining("claude did not begin the session: no such model"),
  });
});

test("a full disk is reported as such, with the remedy", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(problemOf(error)).toMatchObject({
    kind: "storage_unavailable",
    message: expect.stringContaining("free some space"),
  });
});

test("a problem stays the same problem", () => {
  const problem = new ProblemError("agent_not_installed", "it is not there");
  expect(problemOf(problem)).toBe(problem);
});
