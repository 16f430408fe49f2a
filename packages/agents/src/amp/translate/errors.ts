/** Failures of Amp in the words of the universal schema: errors of a turn, and what is left of a process that died. */
import type { ErrorData } from "@sandbox-agent/schema";
import type { AgentExit } from "../../draft.ts";

/** Amp says this, and nothing else, when a signal has ended the turn. */
export const cancelledText = /^User cancelled\b/;

/** Stands before the first use: `missingKey` is made when this module is loaded. */
const hints: Readonly<Record<string, string>> = {
  auth_required:
    ". Set AMP_API_KEY for the daemon, log in with `amp login`, or pass credentials.amp when creating the session.",
  auth_invalid: ". Check the Amp key of the daemon or of the session.",
  thread_not_found: " Amp keeps threads on its server: use the account they were begun with, or create a new session.",
};

export function errorData(message: string): ErrorData {
  const code = errorCode(message);
  return { message: `${message}${hints[code] ?? ""}`, code };
}

export const missingKey: ErrorData = errorData("Amp has no API key");

/**
 * What a process that ended before its turn had a reason to complain about, if it is something the user can mend. Such a
 * process leaves its words on stderr and exits with 1.
 */
export function refusal({ code, message }: AgentExit): ErrorData | null {
  if (code !== 1) return null;
  const error = errorData(message);
  return error.code === "provider_error" ? null : error;
}

/** Amp resets the terminal after its last words; what it said comes before. */
export function readable(exit: AgentExit): AgentExit {
  const stderr = {
    ...exit.stderr,
    head: Bun.stripANSI(exit.stderr.head ?? ""),
    tail: exit.stderr.tail ? Bun.stripANSI(exit.stderr.tail) : null,
  };
  const said = `${stderr.head}\n${stderr.tail ?? ""}`.split("\n").findLast((line) => line.startsWith("Error: "));
  const message = said ? said.replace(/^(Error: )+/, "") : Bun.stripANSI(exit.message);
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
