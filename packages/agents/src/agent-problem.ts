/** What an agent would not do, as a problem in its own words. */
import { ProblemError } from "@sandbox-agent/schema";
import { isDiskFull } from "./install/install-problem.ts";

/** `failure` follows its name: "did not begin the session". */
export function agentProblem(agent: string, failure: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const kind = isDiskFull(message) ? "storage_unavailable" : "stream_error";
  return new ProblemError(kind, `${agent} ${failure}: ${message}`, { agent });
}
