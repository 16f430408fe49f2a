/** What an agent would not do, as a problem in its own words. */
import { ProblemError } from "@sandbox-agent/schema";

/** `failure` follows its name: "did not begin the session". */
export function agentProblem(agent: string, failure: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
  return new ProblemError(isFull ? "storage_unavailable" : "stream_error", `${agent} ${failure}: ${message}`, {
    agent,
  });
}
