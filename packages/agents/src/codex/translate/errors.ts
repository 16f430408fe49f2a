/** Errors of a turn, with the codes that are the same for all agents. */
import type { ErrorData } from "@sandbox-agent/schema";
import * as z from "zod";
import type { TurnError } from "../generated/protocol.ts";

const HttpFailure = z.record(z.string(), z.object({ httpStatusCode: z.number().nullish() }));

const codes: Readonly<Record<string, string>> = {
  contextWindowExceeded: "context_window_exceeded",
  sessionBudgetExceeded: "quota_exceeded",
  usageLimitExceeded: "quota_exceeded",
  rateLimitExceeded: "rate_limited",
  serverOverloaded: "overloaded",
  modelNotFound: "model_not_found",
  internalServerError: "provider_error",
  unauthorized: "auth_invalid",
  badRequest: "invalid_request",
  sandboxError: "sandbox_error",
};

/** `hasKey`: whether credentials were sent; if not, a rejection means `auth_required`. */
export function errorData(error: TurnError, hasKey: boolean): ErrorData {
  const { message, codexErrorInfo, additionalDetails } = error;
  const code = errorCode(error, hasKey);
  const hint = hints[code];
  return {
    message: hint ? `${message} (${hint})` : message,
    code,
    details: { codexErrorInfo: codexErrorInfo ?? null, ...(additionalDetails && { additionalDetails }) },
  };
}

const hints: Readonly<Record<string, string>> = {
  auth_required: "no OpenAI credentials; set OPENAI_API_KEY, pass `credentials`, or run `codex login`",
  auth_invalid: "the OpenAI credentials were rejected; check the key",
  auth_expired: "the OpenAI credentials have expired; renew them",
};

export function isAuthError({ code }: ErrorData): boolean {
  return code?.startsWith("auth_") ?? false;
}

function errorCode({ message, codexErrorInfo, additionalDetails }: TurnError, hasKey: boolean): string {
  const text = `${message} ${additionalDetails ?? ""}`;
  const code = typeof codexErrorInfo === "string" ? codes[codexErrorInfo] : httpCode(codexErrorInfo);
  if (code === "auth_invalid") return hasKey ? (/expired/i.test(text) ? "auth_expired" : code) : "auth_required";
  if (code) return code;
  return /Missing environment variable/.test(message) ? "auth_required" : "provider_error";
}

function httpCode(info: unknown): string | undefined {
  const failure = HttpFailure.safeParse(info);
  if (!failure.success) return undefined;
  const [detail] = Object.values(failure.data);
  switch (detail?.httpStatusCode) {
    case 401:
    case 403:
      return "auth_invalid";
    case 404:
      return "model_not_found";
    case 429:
      return "rate_limited";
    case 503:
    case 529:
      return "overloaded";
    case null:
    case undefined:
      return "provider_unreachable";
    default:
      return "provider_error";
  }
}
