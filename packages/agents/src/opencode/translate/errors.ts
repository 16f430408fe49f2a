/** Native errors as universal error data: a code, the native message, and a hint what to do. */
import type { ErrorData } from "@sandbox-agent/schema";
import { stringAt } from "../../json.ts";
import type { AssistantMessage, ProviderAuthError } from "../generated/api.ts";

export type NativeError = NonNullable<AssistantMessage["error"]>;

export function isAbort(error: NativeError): boolean {
  return error.name === "MessageAbortedError";
}

export function errorData(error: NativeError): ErrorData {
  switch (error.name) {
    case "APIError":
      return apiError(error.data);
    case "ProviderAuthError":
      return authError(error);
    case "ContextOverflowError":
      return { message: error.data.message, code: "context_overflow" };
    case "ContentFilterError":
      return { message: error.data.message, code: "content_filtered" };
    case "MessageOutputLengthError":
      return { message: "the answer exceeds the output limit of the model", code: "output_limit" };
    case "StructuredOutputError":
      return { message: error.data.message, code: "structured_output" };
    case "UnknownError":
      return { message: error.data.message, code: codeOfWords(error.data.message) };
    case "MessageAbortedError":
      return { message: error.data.message, code: "aborted" };
    case "unknown": {
      const message = stringAt(error.native, "data", "message");
      return { message: message ?? `OpenCode reported ${error.native.name}`, code: "agent_error" };
    }
  }
}

function apiError({
  message,
  statusCode,
  responseBody,
}: Extract<NativeError, { name: "APIError" }>["data"]): ErrorData {
  const code = codeOfStatus(statusCode, `${message} ${responseBody ?? ""}`);
  return {
    message: `${message}${hints[code] ? `; ${hints[code]}` : ""}`,
    code,
    ...(statusCode && { details: { status: statusCode } }),
  };
}

function authError({ data }: ProviderAuthError): ErrorData {
  const code = /expired/i.test(data.message) ? "auth_expired" : "auth_required";
  return { message: `${data.message}; ${hints[code]}`, code, details: { provider: data.providerID } };
}

const hints: Record<string, string> = {
  auth_required: "pass a key for this provider in `credentials` of the session or set it in the environment",
  auth_invalid: "the provider rejected the key; check it",
  auth_expired: "log in again or pass a new key in `credentials` of the session",
};

function codeOfStatus(status: number | null | undefined, words: string): string {
  if (!status) return codeOfWords(words);
  if (status === 401) return /expired/i.test(words) ? "auth_expired" : "auth_invalid";
  if (status === 403) return "auth_invalid";
  if (status === 404) return "model_not_found";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limited";
  if (status === 529 || status === 503) return "overloaded";
  return status >= 500 ? "provider_error" : "invalid_request";
}

const wordings: [RegExp, string][] = [
  [/model not found/i, "model_not_found"],
  [/agent not found/i, "mode_not_found"],
  [/api key|unauthorized|authentication/i, "auth_required"],
  [/rate.?limit|too many requests/i, "rate_limited"],
  [/overloaded/i, "overloaded"],
  [/connect|socket|network|ECONN|timed? ?out/i, "provider_unreachable"],
];

function codeOfWords(message: string): string {
  return wordings.find(([pattern]) => pattern.test(message))?.[1] ?? "agent_error";
}
