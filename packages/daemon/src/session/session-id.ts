/** Ids of sessions: chosen by clients, and part of paths. One that cannot be written there could never be asked for again. */
import { ProblemError } from "@sandbox-agent/schema";

const maxLength = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u001f\u007f\ufffd]/;
/** Clients fold these into the path before they send it. */
const folded = [".", ".."];

export function requireSessionId(id: string): void {
  const isEmpty = id.trim() === "";
  if (!isEmpty && id.length <= maxLength && id.isWellFormed() && !unwritable.test(id) && !folded.includes(id)) return;
  throw new ProblemError(
    "invalid_request",
    `a session id must have 1 to ${maxLength} characters, none of them a control character, and be neither . nor ..`,
  );
}
