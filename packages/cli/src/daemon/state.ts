/**
 * State files. While a server listens, it has a file that is named after its address; the commands of the same user find the daemon by
 * it. Only the user can read the file, because it contains the token if the daemon has created one. A file whose process has ended is
 * ignored.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { defaultDataDir } from "@sandbox-agent/daemon/options";
import type { Address } from "./address.ts";
import { isAlive, startOf } from "./process.ts";

export interface DaemonState extends Address {
  pid: number;
  /** The start time of the process, see `startOf`. */
  processStart: string | null;
  /** The host name, because several machines may share a home directory. */
  machine: string;
  version: string;
  /** Null if the daemon keeps everything in memory (`--ephemeral`). */
  dataDir: string | null;
  /** Null if the daemon has no token, or if the user passed one: that is never written to disk. */
  token: string | null;
}

export interface StateFiles {
  state: string;
  log: string;
  lock: string;
}

function stateDirectory(): string {
  return join(defaultDataDir(), "daemon");
}

export function stateFiles({ host, port }: Address): StateFiles {
  const base = join(stateDirectory(), `daemon-${host.replace(/[^a-zA-Z0-9]/g, "-")}-${port}`);
  return { state: `${base}.json`, log: `${base}.log`, lock: `${base}.lock` };
}

export function makeStateDirectory(): void {
  const directory = stateDirectory();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
}

/** Writes the state of this process. */
export function writeState(state: Omit<DaemonState, "pid" | "processStart" | "machine">): void {
  makeStateDirectory();
  const { pid } = process;
  const file = stateFiles(state).state;
  const temporary = `${file}.${pid}`;
  rmSync(temporary, { force: true });
  const text = JSON.stringify({ pid, processStart: startOf(pid), machine: hostname(), ...state });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, file);
}

/** Removes the state file, unless it belongs to another process by now. The log is kept, because it may show why the daemon ended. */
export function removeState(address: Address, pid: number): void {
  const file = stateFiles(address).state;
  if (readStateFile(file)?.pid === pid) rmSync(file, { force: true });
}

/** Null unless that daemon is running. */
export function readState(address: Address): DaemonState | null {
  const state = readStateFile(stateFiles(address).state);
  return state && isCurrent(state) ? state : null;
}

/** The states of all running daemons of this user. */
export function runningDaemons(): DaemonState[] {
  return stateFilesOnDisk()
    .flatMap((file) => readStateFile(file) ?? [])
    .filter(isCurrent);
}

/** Removes the state files that killed daemons of this machine left behind. */
export function removeStaleStates(): void {
  for (const file of stateFilesOnDisk()) {
    const state = readStateFile(file);
    if (state?.machine === hostname() && !isCurrent(state)) rmSync(file, { force: true });
  }
}

function isCurrent({ pid, processStart, machine }: DaemonState): boolean {
  if (machine !== hostname() || !isAlive(pid)) return false;
  const start = startOf(pid);
  return start === null || start === processStart;
}

function stateFilesOnDisk(): string[] {
  const directory = stateDirectory();
  try {
    return readdirSync(directory)
      .filter((name) => /^daemon-.*\.json$/.test(name))
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** Null if the file is missing or invalid. */
function readStateFile(file: string): DaemonState | null {
  try {
    const state: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

function isState(value: unknown): value is DaemonState {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, port, version, token, dataDir }: Partial<Record<string, unknown>> = { ...value };
  const isStringOrNull = (field: unknown) => field === null || typeof field === "string";
  const hasAddress = typeof host === "string" && typeof port === "number";
  const hasPid = Number.isSafeInteger(pid) && Number(pid) > 0;
  return hasPid && hasAddress && typeof version === "string" && isStringOrNull(token) && isStringOrNull(dataDir);
}
