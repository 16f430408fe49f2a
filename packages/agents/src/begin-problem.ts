/** Why a session could not begin, as a problem. What an agent refuses is told in its own words. */
import { ProblemError } from "@sandbox-agent/schema";
import { isDiskFull } from "./install/install-problem.ts";

export function beginProblem(agent: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const kind = isDiskFull(message) ? "storage_unavailable" : "stream_error";
  return new ProblemError(kind, `${agent} did not begin the session: ${message}`, { agent });
}
