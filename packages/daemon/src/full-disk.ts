/** A full disk as a problem with a remedy. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { codeOf } from "./failure.ts";

/** Returns null for any other error. */
export function fullDisk(error: unknown): ProblemError | null {
  if (codeOf(error) !== "ENOSPC") return null;
  return new ProblemError("storage_unavailable", "the disk is full: free some space and try again");
}
