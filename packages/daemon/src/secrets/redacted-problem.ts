/** Redacts the message and the details of a problem: programs may print the secrets they were started with. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import type { KnownSecrets } from "./known-secrets.ts";

export function redactedProblem(problem: ProblemError, secrets: KnownSecrets): ProblemError {
  const { kind, message, context } = problem;
  const details = JSON.stringify(context);
  if (!secrets.isIn(message) && !secrets.isIn(details)) return problem;
  return new ProblemError(kind, secrets.redact(message), JSON.parse(secrets.redactJson(details)));
}
