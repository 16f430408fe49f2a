/**
 * Failures of a turn as universal error data. Agents report a failed model call in five ways: as an internal error, with the
 * HTTP status as code, as text before an error, as text only, or not at all.
 */
import { type ErrorData, ProblemError } from "@sandbox-agent/schema";
import { RpcError } from "../../process/json-rpc.ts";

export const authRequiredCode = -32000;

export function isAuthRequired(error: unknown): boolean {
  return error instanceof RpcError && error.code === authRequiredCode;
}

/** `hasKey`: a key was passed. If the agent still requires authentication, the key was rejected. */
export function errorData(error: unknown, { hasKey = false } = {}): ErrorData {
  if (error instanceof ProblemError)
    return { message: error.message, code: error.kind, details: error.context.details };
  if (!(error instanceof RpcError))
    return { message: error instanceof Error ? error.message : String(error), code: "agent_error" };
  const { message } = error;
  const details = { code: error.code, ...(error.data !== undefined && { data: error.data }) };
  if (!isAuthRequired(error)) return { message, code: codeOf(message, error.code), details };
  if (hasKey)
    return {
      message: `${message}. The key was rejected; pass another in \`credentials\`.`,
      code: "auth_invalid",
      details,
    };
  return { message: `${message}. Pass \`credentials\` with the session, or log in.`, code: "auth_required", details };
}

/**
 * An error that the agent reports as text, in a turn that ends as completed. `isUncounted`: the agent reports that the turn
 * used no tokens, so the text is not from a model.
 */
export function errorInText(text: string, { isUncounted }: { isUncounted: boolean }): ErrorData | null {
  const message = isUncounted || /^\s*(?:Error: |\{"error":)/.test(text) ? text.trim() : "";
  return message === "" ? null : { message, code: codeOf(message, 0) };
}

export const emptyTurn: ErrorData = {
  message: "the agent ended the turn without any output; its model call may have failed, check the agent's own log",
  code: "empty_turn",
};

const stops: Record<string, ErrorData> = {
  max_tokens: { message: "the model reached its limit of output tokens", code: "max_output_tokens" },
  max_turn_requests: { message: "the agent reached its limit of model calls for one turn", code: "max_turns" },
  refusal: { message: "the model refused to answer", code: "refusal" },
};

export function stopError(stopReason: string): ErrorData | null {
  return stops[stopReason] ?? null;
}

/** `code` is the HTTP status itself with some agents. */
function codeOf(message: string, code: number): string {
  const inText = /\b([45]\d\d)\b/.exec(message)?.[1];
  const status = code >= 400 && code < 600 ? code : Number(inText ?? 0);
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
