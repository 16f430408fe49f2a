/** What the two OpenAI protocols share: keys and the shape of a refusal. */
import { type Failure, refuse } from "./exchange.ts";
import { bearer, judgeKey } from "./provider.ts";

export function checkOpenAiKey(headers: Headers): void {
  const key = bearer(headers);
  const verdict = judgeKey(key);
  if (verdict === "missing") refuse(401, "Missing bearer or basic authentication in header");
  if (verdict === "unknown") refuse(401, `Incorrect API key provided: ${key?.slice(0, 3)}***.`, "invalid_api_key");
  if (verdict === "expired") {
    refuse(401, "Provided authentication token is expired. Please try signing in again.", "token_expired");
  }
}

const types: Record<number, string> = {
  429: "rate_limit_error",
  500: "server_error",
  503: "server_error",
  529: "server_error",
};

const codes: Record<number, string> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
  500: "server_error",
  503: "server_is_overloaded",
  529: "server_is_overloaded",
};

export function openAiError(failure: Failure) {
  return {
    message: failure.message,
    type: types[failure.status] ?? "invalid_request_error",
    param: null,
    code: failure.type ?? codes[failure.status] ?? null,
  };
}

export function openAiRefusal(failure: Failure): Response {
  const headers = { "x-request-id": `req_${crypto.randomUUID().replaceAll("-", "")}` };
  return Response.json({ error: openAiError(failure) }, { status: failure.status, headers });
}
