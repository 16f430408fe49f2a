/** A full disk, whoever met it first, told with the way out. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { codeOf } from "./failure.ts";

/** null when it was something else. */
export function fullDisk(error: unknown): ProblemError | null {
  if (codeOf(error) !== "ENOSPC") return null;
  return new ProblemError("storage_unavailable", "the disk is full: free some space and try again");
}
