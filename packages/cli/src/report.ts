/** Prints why a command failed and returns the exit code. Loaded only on failure. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { CommanderError } from "commander";
import { SandboxAgentError } from "sandbox-agent";
import { Failure, Refusal, reasonOf } from "./failure.ts";
import { OutputClosed, printError, printProblem } from "./print.ts";
import { withTokenHint } from "./token/token-hint.ts";

/** Commander has already printed its own errors. */
export async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OutputClosed) return 0;
  if (error instanceof Refusal) {
    await printError(error.body);
    return 1;
  }
  if (error instanceof SandboxAgentError && error.problem) {
    await printError(JSON.stringify(withTokenHint(error.problem), null, 2));
    return 1;
  }
  if (error instanceof ProblemError) {
    await printProblem(error);
    return 1;
  }
  await printError(`error: ${reasonOf(error)}`);
  return error instanceof Failure ? error.exitCode : 1;
}
