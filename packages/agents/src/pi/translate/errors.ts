/** Failures of a turn as universal error data. Pi reports them as texts, most of them with an HTTP status. */
import type { ErrorData } from "@sandbox-agent/schema";
import * as z from "zod";

export function errorData(text: string): ErrorData {
  const status = statusIn(text);
  const code = codeOf(text, status);
  return { message: `${readable(text)}${hints[code] ?? ""}`, code, ...(status !== null && { details: { status } }) };
}

const Body = z.object({ message: z.string() });
const Wrapped = z.object({ error: Body });

/** The status is often followed by the whole response of the provider; only its message is kept. */
function readable(text: string): string {
  const start = text.indexOf("{");
  if (start === -1) return text;
  try {
    const answer: unknown = JSON.parse(text.slice(start));
    const body = Wrapped.safeParse(answer).data?.error ?? Body.safeParse(answer).data;
    return body ? `${text.slice(0, start)}${body.message}` : text;
  } catch {
    return text;
  }
}

/** "400 {…}", "OpenAI API error (401): …", "status code 503" */
function statusIn(message: string): number | null {
  const found = /(?:^|\berror:? \(?|\bstatus(?: code)?:? )([45]\d\d)\b/i.exec(message)?.[1];
  return found ? Number(found) : null;
}

function codeOf(message: string, status: number | null): string {
  if (/no api key|no model selected|not logged in|run '?\/login/i.test(message))
    return /expired/i.test(message) ? "auth_expired" : "auth_required";
  if (/expired/i.test(message) && status === 401) return "auth_expired";
  if (status === 401 || status === 403 || /invalid (x-)?api.key|incorrect api key/i.test(message))
    return "auth_invalid";
  if (status === 429 || /rate.?limit/i.test(message)) return "rate_limited";
  if (status === 529 || /overloaded/i.test(message)) return "overloaded";
  if (status === 404 && /model/i.test(message)) return "model_not_found";
  if (status === 400) return "invalid_request";
  if (status === null && /connect|socket|ECONN|fetch failed|network|terminated/i.test(message))
    return "connection_failed";
  if (status === null && /timed? ?out/i.test(message)) return "timeout";
  return "provider_error";
}

const hints: Readonly<Record<string, string>> = {
  auth_required:
    ". Set ANTHROPIC_API_KEY, OPENAI_API_KEY or another provider's key for the daemon, or pass credentials when creating the session.",
  auth_invalid: ". Check the provider's key of the daemon or of the session.",
  auth_expired: ". Log in again with `pi`, or set another key for the daemon or the session.",
};
