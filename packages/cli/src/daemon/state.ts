/** What we remember of a background daemon: its process, its version and its log, in files named after its address. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Address } from "./address.ts";

export interface StateFiles {
  pid: string;
  version: string;
  log: string;
  lock: string;
}

/** The directory is made on the way. */
export function stateFiles({ host, port }: Address): StateFiles {
  const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  const base = join(data, "sandbox-agent", "daemon", `daemon-${host.replace(/[^a-zA-Z0-9]/g, "-")}-${port}`);
  mkdirSync(dirname(base), { recursive: true, mode: 0o700 });
  return { pid: `${base}.pid`, version: `${base}.version`, log: `${base}.log`, lock: `${base}.lock` };
}

export interface Recorded {
  pid: number;
  version: string | null;
}

export function readState(address: Address): Recorded | null {
  const files = stateFiles(address);
  const pid = Number(read(files.pid) ?? Number.NaN);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, version: read(files.version) } : null;
}

export function writeState(address: Address, pid: number, version: string): void {
  const files = stateFiles(address);
  writeFileSync(files.pid, `${pid}\n`);
  writeFileSync(files.version, `${version}\n`);
}

/** The log stays: it says why a daemon is gone. */
export function removeState(address: Address): void {
  const files = stateFiles(address);
  rmSync(files.pid, { force: true });
  rmSync(files.version, { force: true });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}
