import { ProblemError } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { agentProblem } from "./agent-problem.ts";

const told = (error: unknown) => agentProblem("claude", "did not begin the session", error);

test("what an agent says is told as it said it", () => {
  expect(told(new Error("no such model"))).toMatchObject({
    kind: "stream_error",
    message: expect.stringContaining("claude did not begin the session: no such model"),
  });
});

test("a full disk on the way to it is told as that, with the way out", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(told(error)).toMatchObject({
    kind: "storage_unavailable",
    message: expect.stringContaining("free some space"),
  });
});

test("what is a problem already stays the one it is", () => {
  const problem = new ProblemError("agent_not_installed", "it is not there");
  expect(told(problem)).toBe(problem);
});
