/** Runs one command line and says with which code the process ends: 0 done, 1 failed, 2 wrong usage. */
import { ProblemError } from "@sandbox-agent/schema";
import { CommanderError } from "commander";
import { SandboxAgentError } from "sandbox-agent";
import { Failure, Refusal, reasonOf } from "./failure.ts";
import { OutputClosed, printError, printProblem } from "./print.ts";
import { createProgram } from "./program.ts";

export async function run(args: string[]): Promise<number> {
  const program = createProgram(args[0]);
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Commander has printed its own errors already. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OutputClosed) return 0;
  if (error instanceof Refusal) {
    await printError(error.body);
    return 1;
  }
  if (error instanceof SandboxAgentError && error.problem) {
    await printError(JSON.stringify(error.problem, null, 2));
    return 1;
  }
  if (error instanceof ProblemError) {
    await printProblem(error);
    return 1;
  }
  await printError(`error: ${reasonOf(error)}`);
  return error instanceof Failure ? error.exitCode : 1;
}
