/** The error of a call: the daemon refused it (with its problem), or cannot be reached. */
import type { Problem } from "./generated/api.ts";

const kindPrefix = "urn:sandbox-agent:error:";

export class SandboxAgentError extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Why the daemon refused. Null when there was no response, or it was not from the daemon. */
  readonly problem: Problem | null;
  readonly response: Response | null;

  constructor(message: string, options: { problem?: Problem | null; response?: Response; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SandboxAgentError";
    this.status = options.response?.status ?? 0;
    this.problem = options.problem ?? null;
    this.response = options.response ?? null;
  }

  /** The kind of the problem, for example `session_not_found`; `unreachable` when there was no response. */
  get kind(): string {
    if (this.status === 0) return "unreachable";
    const type = this.problem?.type ?? "";
    return type.startsWith(kindPrefix) ? type.slice(kindPrefix.length) : "unknown";
  }

  /** Whether the same call may succeed later: the daemon is unreachable, starting, stopping, or its disk is full. */
  get transient(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export function unreachable(baseUrl: string, cause: unknown): SandboxAgentError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SandboxAgentError(`cannot reach the daemon at ${baseUrl}: ${reason}`, { cause });
}

export async function refused(response: Response): Promise<SandboxAgentError> {
  const problem = problemIn(await response.text().catch(() => ""));
  const reason = problem?.detail ?? problem?.title ?? response.statusText;
  return new SandboxAgentError(`${response.status} ${reason}`.trim(), { problem, response });
}

/** A proxy may respond with anything. */
function problemIn(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : null;
  } catch {
    return null;
  }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
