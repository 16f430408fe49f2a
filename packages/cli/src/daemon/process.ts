/** Questions about processes that are not our children. */
import { readFileSync } from "node:fs";
import type { Address } from "./address.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** Process ids are reused: a recorded one only counts while its command line is that of a server on this port. */
export function isServer(pid: number, { port }: Address): boolean {
  if (!isAlive(pid)) return false;
  const words = commandLine(pid);
  return words === null || (words.includes("server") && words.includes(String(port)));
}

/** A process that has ended but that nobody has reaped yet still takes signals. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** null where the system does not tell. */
function commandLine(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return null;
  }
}
