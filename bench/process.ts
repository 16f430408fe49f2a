/** What the operating system knows of a process (Linux). */
import { readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** User and system time together. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export function residentMegabytes(pid: number): number {
  const kilobytes = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1];
  return Number(kilobytes) / 1024;
}

/** Memory once it has stopped shrinking: a runtime gives pages back some seconds after it is done with them. */
export async function settledMegabytes(pid: number): Promise<number> {
  let lowest = residentMegabytes(pid);
  for (let quiet = 0; quiet < 8; quiet++) {
    await Bun.sleep(500);
    const now = residentMegabytes(pid);
    if (now < lowest - 1) quiet = 0;
    lowest = Math.min(lowest, now);
  }
  return lowest;
}
