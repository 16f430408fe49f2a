/**
 * Runs single test files in a copy of the tree: with `bun test`, which starts several times faster than vitest, or with vitest if
 * the file fails with `bun test`. The first run also records which source lines a file reaches.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface TestFile {
  path: string;
  runner: "bun" | "vitest";
  milliseconds: number;
  /** Lines by source file; null if unknown, because it ran in vitest or starts processes. */
  reached: Map<string, Map<number, boolean>> | null;
}

const usesProcesses = /spawnDaemon|startDaemonProcess|Bun\.spawn\(|Worker\(|WalDrain\(/;

/** Runs the file without a mutant. Null if it fails. */
export async function firstRun(path: string, tree: string, limit: number): Promise<TestFile | null> {
  for (const runner of ["bun", "vitest"] as const) {
    const started = performance.now();
    const coverage = join(tree, "mutants-coverage");
    const passed = await run(path, runner, tree, limit, [
      "--coverage",
      "--coverage-reporter=lcov",
      `--coverage-dir=${coverage}`,
    ]);
    if (!passed) continue;
    const milliseconds = performance.now() - started;
    const known = runner === "bun" && !usesProcesses.test(readFileSync(join(tree, path), "utf8"));
    return { path, runner, milliseconds, reached: known ? linesOf(join(coverage, "lcov.info")) : null };
  }
  return null;
}

/** Whether the tests still pass. A run that takes several times as long as the first one counts as failed. */
export function passes(test: TestFile, tree: string, limit: number): Promise<boolean> {
  return run(test.path, test.runner, tree, Math.min(limit, 10_000 + 4 * test.milliseconds), []);
}

/** Lines without coverage data, such as those of types, count as reached. */
export function reaches({ reached }: TestFile, file: string, line: number, lastLine: number): boolean {
  if (reached === null) return true;
  const lines = reached.get(file);
  if (!lines) return false;
  for (let at = line; at <= lastLine; at++) if (lines.get(at) ?? at === line) return true;
  return false;
}

async function run(
  path: string,
  runner: TestFile["runner"],
  tree: string,
  limit: number,
  flags: string[],
): Promise<boolean> {
  const preload = join(import.meta.dirname, "vitest-api.ts");
  const bun = ["test", "--bail", "--no-orphans", "--timeout=20000", `--preload=${preload}`, ...flags, `./${path}`];
  const vitest = ["--bun", "vitest", "run", "--bail=1", "--reporter=dot", path];
  const child = Bun.spawn([process.execPath, ...(runner === "bun" ? bun : vitest)], {
    cwd: tree,
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
    env: { ...process.env, NODE_ENV: "test", NO_COLOR: "1" },
  });
  const timer = setTimeout(() => kill(child.pid), limit);
  const exitCode = await child.exited;
  clearTimeout(timer);
  kill(child.pid);
  return exitCode === 0;
}

/** Kills the whole process group; it was started detached. */
function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function linesOf(report: string): Map<string, Map<number, boolean>> {
  const files = new Map<string, Map<number, boolean>>();
  let lines = new Map<number, boolean>();
  for (const entry of existsSync(report) ? readFileSync(report, "utf8").split("\n") : []) {
    if (entry.startsWith("SF:")) files.set(entry.slice(3), (lines = new Map()));
    const hit = /^DA:(\d+),(\d+)/.exec(entry);
    if (hit) lines.set(Number(hit[1]), Number(hit[2]) > 0);
  }
  return files;
}
