/** CPU time and memory of a process, from /proc (Linux). */
import { readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** User and system time together. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Megabytes of memory. */
export interface Memory {
  resident: number;
  /** Not backed by a file. The rest is mostly the executable, which the system can drop and read again. */
  anonymous: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1]) / 1024;
  return { resident: megabytes("VmRSS"), anonymous: megabytes("RssAnon") };
}

/** Memory after it has stopped shrinking: the runtime returns unused pages only after some seconds. */
export async function settledMemory(pid: number): Promise<Memory> {
  let lowest = memoryOf(pid);
  for (let quiet = 0; quiet < 8; quiet++) {
    await Bun.sleep(500);
    const now = memoryOf(pid);
    if (now.resident < lowest.resident - 1) quiet = 0;
    if (now.resident < lowest.resident) lowest = now;
  }
  return lowest;
}
