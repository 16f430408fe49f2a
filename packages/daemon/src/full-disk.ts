/** A full disk, whoever met it first, told with the way out. */
import { ProblemError } from "@sandbox-agent/schema/problem";

/** null when it was something else. */
export function fullDisk(error: unknown): ProblemError | null {
  if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) return null;
  return new ProblemError("storage_unavailable", "the disk is full: free some space and try again");
}
