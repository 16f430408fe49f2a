/** Finds the process that listens on a port, for a daemon that was not started by `daemon start`. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export function findListener(port: number): number | null {
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeningSockets(readLines(table), port)),
  );
  if (sockets.size === 0) return null;
  const pids = list("/proc").filter((name) => /^\d+$/.test(name));
  const owner = pids.find((pid) => openFiles(pid).some((target) => sockets.has(target)));
  return owner === undefined ? null : Number(owner);
}

/** Lines read `sl local_address rem_address st … inode …`; addresses end in the port in hex, and state 0A listens. */
export function listeningSockets(lines: string[], port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
}

function openFiles(pid: string): string[] {
  return list(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** Processes come and go and some are not ours to look at, so whatever cannot be read is empty. */
function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
