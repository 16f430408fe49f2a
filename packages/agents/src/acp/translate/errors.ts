/**
 * Failures of a turn in the words of the universal schema. Agents report a failed call of the model in five ways: as an
 * internal error, with the HTTP status as code, as text before an error, as text alone, or not at all.
 */
import { type ErrorData, ProblemError } from "@sandbox-agent/schema";
import { RpcError } from "../../process/json-rpc.ts";

export const authRequiredCode = -32000;

export function isAuthRequired(error: unknown): boolean {
  return error instanceof RpcError && error.code === authRequiredCode;
}

/** `hasKey`: the agent was given a key. If it asks for one all the same, that one was refused. */
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
      message: `${message}. The key was refused; pass another in \`credentials\`.`,
      code: "auth_invalid",
      details,
    };
  return { message: `${message}. Pass \`credentials\` with the session, or log in.`, code: "auth_required", details };
}

/**
 * Text that stands for an error, of agents that end such a turn as if it were completed. `isUncounted`: the agent says
 * that the turn took no tokens, so these are not the words of a model.
 */
export function errorInText(text: string, { isUncounted }: { isUncounted: boolean }): ErrorData | null {
  const message = isUncounted || /^\s*(?:Error: |\{"error":)/.test(text) ? text.trim() : "";
  return message === "" ? null : { message, code: codeOf(message, 0) };
}

export const emptyTurn: ErrorData = {
  message: "the agent ended the turn without a word; the call of its model may have failed, its own log may tell why",
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
