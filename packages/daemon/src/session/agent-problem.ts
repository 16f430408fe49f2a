/** What an agent would not do, as a problem in its own words. */
import { ProblemError } from "@sandbox-agent/schema";
import { fullDisk } from "../full-disk.ts";

/** `failure` follows its name: "did not begin the session". */
export function agentProblem(agent: string, failure: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return fullDisk(error) ?? new ProblemError("stream_error", `${agent} ${failure}: ${message}`, { agent });
}
