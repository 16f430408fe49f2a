/** Checks what an idle daemon has left: processes, open files, memory. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { ownerVariable } from "@sandbox-agent/agents";
import { memoryOf as megabytesOf } from "../../bench/process.ts";
import { percentile } from "../../bench/report/figure.ts";
import { ownerOf } from "../../packages/daemon/src/config/owner.ts";
import type { SoakDaemon } from "../daemon.ts";
import type { Ledger } from "../ledger.ts";

const settleMs = 60_000;

/** Idle agents are closed, so none of their processes may be left. */
export async function checkProcesses(ledger: Ledger, dataDir: string): Promise<void> {
  const mark = `${ownerVariable}=${ownerOf({ ephemeral: false, dataDir })}`;
  await until(() => markedProcesses(mark).length === 0);
  for (const pid of markedProcesses(mark))
    ledger.violate("orphan", `process ${pid} is left: ${readProc(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

function markedProcesses(mark: string): string[] {
  return readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && readProc(`/proc/${name}/environ`).split("\0").includes(mark) && !isZombie(name),
  );
}

/** Ended, but not yet reaped. */
function isZombie(pid: string): boolean {
  return /^State:\s+Z/m.test(readProc(`/proc/${pid}/status`));
}

/** Files, pipes and sockets of the daemon, by kind. */
export type OpenFiles = Record<string, number>;

export function openFiles(pid: number): OpenFiles {
  const files: OpenFiles = {};
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const kind = linkOf(`/proc/${pid}/fd/${name}`).replace(/:\[\d+\]$/, "");
    files[kind] = (files[kind] ?? 0) + 1;
  }
  return files;
}

/** There may be no more than after the first round, which had the same number of clients. */
export async function checkOpenFiles(ledger: Ledger, daemon: SoakDaemon, first: OpenFiles): Promise<void> {
  const surplus = () =>
    Object.entries(openFiles(daemon.pid)).flatMap(([kind, count]) =>
      count > (first[kind] ?? 0) ? [`${count - (first[kind] ?? 0)} × ${kind}`] : [],
    );
  await until(() => surplus().length === 0);
  if (surplus().length > 0) ledger.violate("open-files", `more than before: ${surplus().join(", ")}`);
}

export const memoryOf = (daemon: SoakDaemon): number => megabytesOf(daemon.pid).resident;

/** With fewer samples growth is not checked. */
const enoughSamples = 9;
const allowedGrowth = 1.15;

/** Medians of the first and the last third. Null while there are too few samples. */
export function memoryGrowth(samples: readonly number[]): { first: number; last: number } | null {
  if (samples.length < enoughSamples) return null;
  const third = Math.floor(samples.length / 3);
  return { first: percentile(samples.slice(0, third), 0.5), last: percentile(samples.slice(-third), 0.5) };
}

export function checkMemory(ledger: Ledger, samples: readonly number[]): void {
  const growth = memoryGrowth(samples);
  if (growth && growth.last > growth.first * allowedGrowth)
    ledger.violate(
      "memory",
      `grew from ${growth.first.toFixed(1)} to ${growth.last.toFixed(1)} MB: ${samples.map(Math.round)}`,
    );
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + settleMs;
  while (!holds() && performance.now() < deadline) await Bun.sleep(100);
}

/** Empty when the process has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "gone";
  }
}
