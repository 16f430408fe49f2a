/** Failures of a turn as universal error data. */
import type { ErrorData } from "@sandbox-agent/schema";

export interface Failure {
  message: string;
  /** Claude Code's error code: authentication_failed, rate_limit, … */
  error?: string | null;
  /** HTTP status of the provider's response, if there was one. */
  status?: number | null;
}

export function errorData({ message, error, status }: Failure): ErrorData {
  const code = errorCode(message, error ?? "", status ?? null);
  const details = { ...(error && { error }), ...(status && { status }) };
  return { message: `${message}${hints[code] ?? ""}`, code, details };
}

function errorCode(message: string, error: string, status: number | null): string {
  switch (error) {
    case "authentication_failed":
    case "oauth_org_not_allowed":
      if (/expired/i.test(message)) return "auth_expired";
      return /not logged in|no api key|please run \/login$/i.test(message) && status === null
        ? "auth_required"
        : "auth_invalid";
    case "rate_limit":
      return "rate_limited";
    case "overloaded":
    case "billing_error":
    case "model_not_found":
    case "invalid_request":
    case "max_output_tokens":
      return error;
    default:
      return codeOfStatus(message, status);
  }
}

function codeOfStatus(message: string, status: number | null): string {
  if (status === 529 || /overloaded|\b529\b/i.test(message)) return "overloaded";
  if (status === 429) return "rate_limited";
  if (status === 400) return "invalid_request";
  if (status === null && /connect|socket|ECONN|fetch failed|network/i.test(message)) return "connection_failed";
  if (status === null && /timed? ?out/i.test(message)) return "timeout";
  return "provider_error";
}

const hints: Readonly<Record<string, string>> = {
  auth_required: ". Set ANTHROPIC_API_KEY for the daemon or pass credentials.anthropic when creating the session.",
  auth_invalid: ". Check the Anthropic credential of the daemon or of the session.",
  auth_expired: ". Log in again or set a fresh Anthropic credential.",
};
