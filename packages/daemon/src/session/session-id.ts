/** Session ids. Clients choose them and they are part of URL paths, so an id that cannot be written in a path is rejected. */
import { ProblemError } from "@sandbox-agent/schema";

export const maxIdLength = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches
const unwritable = /[\u0000-\u001f\u007f\ufffd]/;
/** HTTP clients resolve these path segments before they send the request. */
const dotSegments = [".", ".."];

/** Whether an id of any kind can be part of a path. */
export function isWritableId(id: string): boolean {
  return id.trim() !== "" && id.length <= maxIdLength && id.isWellFormed() && !unwritable.test(id);
}

export function requireSessionId(id: string): void {
  if (isWritableId(id) && !dotSegments.includes(id)) return;
  throw new ProblemError(
    "invalid_request",
    `a session id must have 1 to ${maxIdLength} characters, none of them a control character, and be neither . nor ..`,
  );
}
