/**
 * Process trees. Agents start tools in new sessions and process groups, so killing a process or its group is not enough:
 * descendants are found by their parent ids, and orphans by a mark in their environment.
 */
import { readdirSync, readFileSync } from "node:fs";

/** The variable whose value marks every process a daemon has started, its children included. */
export const ownerVariable = "SANDBOX_AGENT_OWNER";

/** The variable that marks one agent process and its descendants, even after it has exited. */
export const processVariable = "SANDBOX_AGENT_PROCESS";

/** Bounds the sweep if processes are started faster than they are killed. */
const maxRounds = 20;

/** All processes below this one, children before grandchildren. */
export function descendants(pid: number): number[] {
  const children = childrenNow();
  const found: number[] = [];
  const pending = [pid];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const below = (children.get(next) ?? []).map((entry) => entry.pid);
    found.push(...below);
    pending.push(...below);
  }
  return found;
}

/** Sends a signal to a process and everything below it. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const member of [pid, ...descendants(pid)]) signalProcess(member, signal);
}

/**
 * Kills every process that carries the owner's mark, except this one, and processes they start meanwhile. Returns how many
 * were killed. The kernel may take a moment to remove large ones.
 */
export function sweepOwned(owner: string): number {
  return sweep(ownerVariable, [owner]);
}

/**
 * The same for the orphans of one process, by its mark. Scanning all processes of the machine takes a while, and agents
 * often exit together, so calls in the same tick share one scan.
 */
export function sweepLeftovers(mark: string): Promise<void> {
  leftovers ??= sweepingSoon();
  leftovers.marks.push(mark);
  return leftovers.swept;
}

let leftovers: { marks: string[]; swept: Promise<void> } | null = null;

function sweepingSoon(): { marks: string[]; swept: Promise<void> } {
  const marks: string[] = [];
  const nextTick = new Promise((resolve) => setImmediate(resolve));
  const swept = nextTick.then(() => {
    leftovers = null;
    sweep(processVariable, marks);
  });
  return { marks, swept };
}

function sweep(variable: string, values: readonly string[]): number {
  const marks = new Set(values.map((value) => `${variable}=${value}`));
  const isMarked = (pid: number) => environmentOf(pid).some((entry) => marks.has(entry));
  const killed = new Set([process.pid]);
  for (let round = 0; round < maxRounds; round += 1) {
    const owned = processTable().filter(({ pid }) => !killed.has(pid) && isMarked(pid));
    if (owned.length === 0) break;
    for (const { pid } of owned) {
      signalProcess(pid, "SIGKILL");
      killed.add(pid);
    }
  }
  return killed.size - 1;
}

export function isAlive(pid: number): boolean {
  return signalProcess(pid, 0);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

interface ProcessEntry {
  pid: number;
  parent: number;
}

let children: Map<number, ProcessEntry[]> | null = null;

/** Processes by parent. Calls in the same tick share one scan, as when many agents are closed. */
function childrenNow(): Map<number, ProcessEntry[]> {
  if (children) return children;
  setImmediate(() => (children = null));
  children = Map.groupBy(processTable(), ({ parent }) => parent);
  return children;
}

function processTable(): ProcessEntry[] {
  return process.platform === "linux" ? procTable() : psTable();
}

function procTable(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // The name in parentheses may contain spaces and parentheses; the parent is the second field after it.
      const fields = readProc(`/proc/${name}/stat`)
        .replace(/^.*\) /s, "")
        .split(" ");
      return fields[1] ? [{ pid: Number(name), parent: Number(fields[1]) }] : [];
    });
}

function psTable(): ProcessEntry[] {
  const { stdout } = Bun.spawnSync(["ps", "-axo", "pid=,ppid="]);
  return stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

function environmentOf(pid: number): string[] {
  if (process.platform === "linux") return readProc(`/proc/${pid}/environ`).split("\0");
  return Bun.spawnSync(["ps", "-Eww", "-o", "command=", "-p", String(pid)])
    .stdout.toString()
    .split(" ");
}

/** Empty if the process has exited or may not be read. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
