/**
 * How commands find the daemons of this user: every server keeps a file named after its address while it listens. Only the user
 * can read it, because it holds the token, if the daemon has made one. A file whose process is gone means nothing.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { defaultDataDir } from "@sandbox-agent/daemon/options";
import type { Address } from "./address.ts";
import { isAlive, startOf } from "./process.ts";

export interface DaemonState extends Address {
  pid: number;
  /** See `startOf`. */
  processStart: string | null;
  /** Homes may be shared by machines. */
  machine: string;
  version: string;
  /** null = in memory. */
  dataDir: string | null;
  /** null when the daemon has none, or has one that it was given: such a token is never written to disk. */
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

/** Of this process. */
export function writeState(state: Omit<DaemonState, "pid" | "processStart" | "machine">): void {
  makeStateDirectory();
  const { pid } = process;
  const file = stateFiles(state).state;
  const unfinished = `${file}.${pid}`;
  rmSync(unfinished, { force: true });
  const text = JSON.stringify({ pid, processStart: startOf(pid), machine: hostname(), ...state });
  writeFileSync(unfinished, text, { mode: 0o600, flag: "wx" });
  renameSync(unfinished, file);
}

/** The log stays: it has the reason why a daemon is gone. */
export function removeState(address: Address, pid: number): void {
  const file = stateFiles(address).state;
  if (parse(file)?.pid === pid) rmSync(file, { force: true });
}

/** null unless that daemon runs. */
export function readState(address: Address): DaemonState | null {
  const state = parse(stateFiles(address).state);
  return state && isCurrent(state) ? state : null;
}

/** Of all daemons of this user that run. */
export function runningDaemons(): DaemonState[] {
  return stateFilesOnDisk()
    .flatMap((file) => parse(file) ?? [])
    .filter(isCurrent);
}

/** Those of daemons that were killed. */
export function removeStaleStates(): void {
  for (const file of stateFilesOnDisk()) {
    const state = parse(file);
    if (state?.machine === hostname() && !isCurrent(state)) rmSync(file, { force: true });
  }
}

function isCurrent({ pid, processStart }: DaemonState): boolean {
  if (!isAlive(pid)) return false;
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

/** null when there is none, or none that we have written. */
function parse(file: string): DaemonState | null {
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
  const isText = (text: unknown) => text === null || typeof text === "string";
  const isAddress = typeof host === "string" && typeof port === "number" && typeof version === "string";
  return Number.isSafeInteger(pid) && Number(pid) > 0 && isAddress && isText(token) && isText(dataDir);
}
