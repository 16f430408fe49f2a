/**
 * Converts failures of a turn to universal error data. Agents report a failed model call in five ways: as a JSON-RPC internal
 * error, as an error whose code is the HTTP status, as text followed by an error, as text only, or not at all.
 */
import { type ErrorData, ProblemError } from "@sandbox-agent/schema";
import { RpcError } from "../../process/json-rpc.ts";

export const authRequiredCode = -32000;

export function isAuthRequired(error: unknown): boolean {
  return error instanceof RpcError && error.code === authRequiredCode;
}

/** `hasKey`: a key was passed to the agent. If the agent still requires authentication, the key was rejected. */
export function errorData(error: unknown, { hasKey = false } = {}): ErrorData {
  if (error instanceof ProblemError)
    return { message: error.message, code: error.kind, details: error.context.details };
  if (!(error instanceof RpcError))
    return { message: error instanceof Error ? error.message : String(error), code: "agent_error" };
  const { message } = error;
  const details = { code: error.code, ...(error.data !== undefined && { data: error.data }) };
  if (!isAuthRequired(error)) return { message, code: errorCode(message, error.code), details };
  if (hasKey)
    return {
      message: `${message}. The key was rejected; pass another in \`credentials\`.`,
      code: "auth_invalid",
      details,
    };
  return { message: `${message}. Pass \`credentials\` with the session, or log in.`, code: "auth_required", details };
}

/**
 * An error that the agent reports as text, in a turn that ends normally. `hasNoUsage`: the agent reports that the turn used
 * no tokens, so the text is not from a model.
 */
export function errorInText(text: string, { hasNoUsage }: { hasNoUsage: boolean }): ErrorData | null {
  const message = hasNoUsage || /^\s*(?:Error: |\{"error":)/.test(text) ? text.trim() : "";
  return message === "" ? null : { message, code: errorCode(message, 0) };
}

export const emptyTurn: ErrorData = {
  message: "the agent ended the turn without any output; its model call may have failed, check the agent's own log",
  code: "empty_turn",
};

const stopErrors: Record<string, ErrorData> = {
  max_tokens: { message: "the model reached its limit of output tokens", code: "max_output_tokens" },
  max_turn_requests: { message: "the agent reached its limit of model calls for one turn", code: "max_turns" },
  refusal: { message: "the model refused to answer", code: "refusal" },
};

export function stopError(stopReason: string): ErrorData | null {
  return stopErrors[stopReason] ?? null;
}

/** `rpcCode` is the code of the JSON-RPC error; some agents use the HTTP status as this code. */
function errorCode(message: string, rpcCode: number): string {
  const statusInText = /\b([45]\d\d)\b/.exec(message)?.[1];
  const status = rpcCode >= 400 && rpcCode < 600 ? rpcCode : Number(statusInText ?? 0);
  if (
    status === 401 ||
    status === 403 ||
    /invalid.{0,12}api.?key|api.?key.{0,5}(invalid|not valid|expired)|authentication|unauthorized/i.test(message)
  )
    return "auth_invalid";
  if (status === 429 || /rate.?limit/i.test(message)) return "rate_limited";
  if (status === 529 || /overloaded|high demand/i.test(message)) return "overloaded";
  if (status === 400 || /invalid_request/.test(message)) return "invalid_request";
  if (status >= 500) return "provider_error";
  if (/ECONN|fetch failed|network|socket/i.test(message)) return "connection_failed";
  return "agent_error";
}
