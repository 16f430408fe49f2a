/** Questions about processes that are not our children. */
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
 * When the process began, in a unit of the system: process ids are reused, so a recorded one counts only together with this.
 * null where the system has no such file.
 */
export function startOf(pid: number): string | null {
  // The name of the program comes second, in parentheses, and may hold anything; the 20th field after it is the start.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  return fields?.[19] ?? null;
}

/** A process that has ended but that nobody has reaped yet still takes signals. */
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
