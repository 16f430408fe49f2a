/** Converts failures to JSON-RPC errors, with the problem as data. Pure. */
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { ProblemError, type ProblemKind } from "@sandbox-agent/schema";

const codes: Partial<Record<ProblemKind, number>> = {
  invalid_request: -32602,
  unsupported_agent: -32602,
  mode_not_supported: -32602,
  session_already_exists: -32602,
  conflict: -32600,
  session_not_found: -32002,
};

/** An error that is not a `ProblemError` is a bug in the daemon: its text is not sent to clients. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof ProblemError))
    return new RequestError(-32603, "the daemon failed to handle this request; its log has the cause");
  const { context, kind, message } = error;
  return new RequestError(codes[kind] ?? -32603, message, { type: kind, ...context });
}
