/** What runs on this machine, read from /proc: not every machine has `ps`. */
import { readdirSync, readFileSync } from "node:fs";

/** The command line with a blank after each word; empty when the process is gone. */
export function commandOf(pid: number): string {
  return readProc(pid, "cmdline").replaceAll("\0", " ");
}

/** A process that has ended but was not waited for does nothing any more. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readProc(pid, "status"));
}

/** The memory that a process really occupies. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = readProc(pid, "status").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
  if (kilobytes === undefined) throw new Error(`there is no process ${pid}`);
  return Number(kilobytes) * 1024;
}

/** Processes whose command line has this in it. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).includes(text));
}

/** Empty when the process is gone. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
