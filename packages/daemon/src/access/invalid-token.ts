import { ProblemError } from "@sandbox-agent/schema/problem";

/** A request without a token that is known, with the reason. */
export function invalidToken(message: string): ProblemError {
  return new ProblemError("token_invalid", message, { details: { message } });
}
