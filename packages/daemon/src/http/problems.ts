/** Converts failures to responses. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { fullDisk } from "../full-disk.ts";

export function problemResponse(error: ProblemError, path: string, headers: Record<string, string> = {}): Response {
  const problem = error.toProblem(path);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

/** Converts any thrown value to a problem. Other errors are bugs in the daemon; their text is only logged. */
export function asProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  return (
    fullDisk(error) ??
    new ProblemError("internal_error", "the daemon failed to handle this request; its log has the cause")
  );
}

export class MethodNotAllowed extends ProblemError {
  constructor(
    message: string,
    readonly allow: string,
  ) {
    super("method_not_allowed", message);
  }
}

export function methodNotAllowed(request: Request, allowed: string[]): MethodNotAllowed {
  const allow = allowed.join(", ");
  return new MethodNotAllowed(`${request.method} is not possible here; use ${allow}`, allow);
}
