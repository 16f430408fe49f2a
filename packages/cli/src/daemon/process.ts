/** Information about processes that are not our children. */
import { readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/**
 * The start time of a process in system ticks. Process ids are reused, so a recorded id is valid only together with it. Null without
 * /proc.
 */
export function startOf(pid: number): string | null {
  // The second field is the program name in parentheses, which may contain anything; the 20th field after it is the start time.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  return fields?.[19] ?? null;
}

/** A process that has ended but was not reaped still accepts signals. */
function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(read(`/proc/${pid}/status`) ?? "");
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
