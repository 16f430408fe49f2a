/** Errors in Anthropic's format, as a response and inside a stream. */
import type { Failure } from "./exchange.ts";

const types: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

export function errorBody(failure: Failure): { type: "error"; error: Record<string, unknown> } {
  const known = types[failure.status] ?? "api_error";
  const expired = failure.type === "token_expired";
  const named = failure.type?.endsWith("_error") ? failure.type : known;
  const details = expired ? { details: { error_visibility: "user_facing", error_code: "token_expired" } } : {};
  return { type: "error", error: { type: named, message: failure.message, ...details } };
}

export function anthropicRefusal(failure: Failure): Response {
  const id = `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
  return Response.json(
    { ...errorBody(failure), request_id: id },
    { status: failure.status, headers: { "request-id": id } },
  );
}
