/** The failure of an agent as a problem, with the agent's own message. */
import { ProblemError } from "@sandbox-agent/schema";
import { fullDisk } from "../full-disk.ts";

/** `failure` follows the agent's name in the message, such as "failed to start the session". */
export function agentProblem(agent: string, failure: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return fullDisk(error) ?? new ProblemError("stream_error", `${agent} ${failure}: ${message}`, { agent });
}
