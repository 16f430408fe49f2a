/** Running processes, from /proc, because `ps` may be missing. */
import { readdirSync, readFileSync } from "node:fs";

/** The command line with a space after each argument; empty if the process has ended. */
export function commandOf(pid: number): string {
  return readProc(pid, "cmdline").replaceAll("\0", " ");
}

/** False for zombies. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readProc(pid, "status"));
}

/** The resident memory of a process. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = readProc(pid, "status").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
  if (kilobytes === undefined) throw new Error(`there is no process ${pid}`);
  return Number(kilobytes) * 1024;
}

/** Processes whose command line contains the text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).includes(text));
}

/** Empty if the process has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
