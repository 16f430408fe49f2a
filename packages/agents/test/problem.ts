/** The problem that a call is expected to end with. */
import { ProblemError } from "@sandbox-agent/schema";

export async function problemOf(action: Promise<unknown>): Promise<ProblemError> {
  const error = await action.then(
    () => null,
    (error: unknown) => error,
  );
  if (error instanceof ProblemError) return error;
  throw new Error(`not a problem: ${error}`);
}
