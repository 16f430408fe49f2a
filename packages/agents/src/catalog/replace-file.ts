/** Replaces a file atomically. Only its owner can read it. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { ProblemError } from "@sandbox-agent/schema/problem";

/** Throws ProblemError. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    const file = openSync(temporary, "w", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProblemError("storage_unavailable", `${path} cannot be written, so nothing was changed: ${reason}`);
  }
}
