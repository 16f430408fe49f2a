/** Failures of Amp as universal error data: errors of a turn, and exits of the process. */
import type { ErrorData } from "@sandbox-agent/schema";
import type { AgentExit } from "../../draft.ts";

/** Amp's only message when a signal has ended the turn. */
export const cancelledText = /^User cancelled\b/;

/** Must be defined before `missingKey`, which uses it when this module is loaded. */
const hints: Readonly<Record<string, string>> = {
  auth_required:
    ". Set AMP_API_KEY for the daemon, log in with `amp login`, or pass credentials.amp when creating the session.",
  auth_invalid: ". Check the Amp key of the daemon or of the session.",
  thread_not_found:
    " Amp keeps threads on its server: use the account they were created with, or create a new session.",
};

export function errorData(message: string): ErrorData {
  const code = errorCode(message);
  return { message: `${message}${hints[code] ?? ""}`, code };
}

export const missingKey: ErrorData = errorData("Amp has no API key");

/**
 * The error of a process that exited before its turn ended, if the user can fix it. Such a process writes its message to
 * stderr and exits with code 1.
 */
export function userError({ code, message }: AgentExit): ErrorData | null {
  if (code !== 1) return null;
  const error = errorData(message);
  return error.code === "provider_error" ? null : error;
}

/** The exit with Amp's own error message, without the escape sequences that Amp writes at the end. */
export function readable(exit: AgentExit): AgentExit {
  const stderr = {
    ...exit.stderr,
    head: Bun.stripANSI(exit.stderr.head ?? ""),
    tail: exit.stderr.tail ? Bun.stripANSI(exit.stderr.tail) : null,
  };
  const line = `${stderr.head}\n${stderr.tail ?? ""}`.split("\n").findLast((each) => each.startsWith("Error: "));
  const message = line ? line.replace(/^(Error: )+/, "") : Bun.stripANSI(exit.message);
  return { ...exit, message, stderr };
}

function errorCode(message: string): string {
  const status = /^(\d{3}) /.exec(message)?.[1];
  if (/has no API key/.test(message)) return "auth_required";
  if (status === "401" || status === "403" || /unauthorized|invalid or missing api key/i.test(message))
    return "auth_invalid";
  if (status === "402" || /insufficient credit|out of credits/i.test(message)) return "billing_error";
  if (status === "429" || /rate.?limit/i.test(message)) return "rate_limited";
  if (status === "529" || /overloaded/i.test(message)) return "overloaded";
  if (status === "400") return "invalid_request";
  if (/couldn't connect|cannot reach|fetch failed|ECONN/i.test(message)) return "connection_failed";
  if (/^Thread .* does not exist/.test(message)) return "thread_not_found";
  return "provider_error";
}
