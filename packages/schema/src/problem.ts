/**
 * Problems (RFC 7807): every failed request is answered with one of these kinds. Without zod, because the daemon loads this
 * module before it listens.
 */
import type { Problem } from "./problem-document.ts";

export const problemKinds = {
  invalid_request: { status: 400, title: "Invalid Request" },
  unsupported_agent: { status: 400, title: "Unsupported Agent" },
  mode_not_supported: { status: 400, title: "Mode Not Supported" },
  token_invalid: { status: 401, title: "Token Invalid" },
  permission_denied: { status: 403, title: "Permission Denied" },
  not_found: { status: 404, title: "Not Found" },
  agent_not_installed: { status: 404, title: "Agent Not Installed" },
  session_not_found: { status: 404, title: "Session Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  not_acceptable: { status: 406, title: "Not Acceptable" },
  conflict: { status: 409, title: "Conflict" },
  session_already_exists: { status: 409, title: "Session Already Exists" },
  precondition_failed: { status: 412, title: "Precondition Failed" },
  payload_too_large: { status: 413, title: "Payload Too Large" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  range_not_satisfiable: { status: 416, title: "Range Not Satisfiable" },
  too_many_requests: { status: 429, title: "Too Many Requests" },
  internal_error: { status: 500, title: "Internal Error" },
  install_failed: { status: 500, title: "Install Failed" },
  agent_process_exited: { status: 500, title: "Agent Process Exited" },
  process_not_started: { status: 502, title: "Process Not Started" },
  stream_error: { status: 502, title: "Stream Error" },
  registry_refresh_failed: { status: 502, title: "Registry Refresh Failed" },
  checkpoints_unavailable: { status: 503, title: "Checkpoints Unavailable" },
  storage_unavailable: { status: 503, title: "Storage Unavailable" },
  identity_provider_unavailable: { status: 503, title: "Identity Provider Unavailable" },
  shutting_down: { status: 503, title: "Shutting Down" },
  timeout: { status: 504, title: "Timeout" },
} as const;

export type ProblemKind = keyof typeof problemKinds;

export type ProblemContext = Pick<Problem, "agent" | "sessionId" | "details">;

/** A failure with a kind. Thrown anywhere below an HTTP handler, it becomes that problem as the response. */
export class ProblemError extends Error {
  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly context: ProblemContext = {},
  ) {
    super(message);
    this.name = "ProblemError";
  }

  toProblem(instance?: string): Problem {
    const { status, title } = problemKinds[this.kind];
    return {
      type: `urn:sandbox-agent:error:${this.kind}`,
      title,
      status,
      detail: `${this.kind.replaceAll("_", " ")}: ${this.message}`,
      ...(instance !== undefined && { instance }),
      ...this.context,
    };
  }
}
