/** The message of an error; for a problem of the daemon, its detail. */
import { SandboxAgentError } from "sandbox-agent";

export function failureText(error: unknown): string {
  if (error instanceof SandboxAgentError) return error.problem?.detail ?? error.problem?.title ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
