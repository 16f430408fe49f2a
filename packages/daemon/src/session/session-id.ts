/** Ids of sessions: chosen by clients, and part of paths. One that cannot be written there could never be asked for again. */
import { ProblemError } from "@sandbox-agent/schema";

export const maxIdLength = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u001f\u007f\ufffd]/;
/** Clients fold these into the path before they send it. */
const folded = [".", ".."];

/** Whether it can be part of a path, whatever it names. */
export function isWritableId(id: string): boolean {
  return id.trim() !== "" && id.length <= maxIdLength && id.isWellFormed() && !unwritable.test(id);
}

export function requireSessionId(id: string): void {
  if (isWritableId(id) && !folded.includes(id)) return;
  throw new ProblemError(
    "invalid_request",
    `a session id must have 1 to ${maxIdLength} characters, none of them a control character, and be neither . nor ..`,
  );
}
