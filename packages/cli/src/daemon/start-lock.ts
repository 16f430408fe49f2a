/**
 * Allows one start at a time per address, so that a second one finds the daemon of the first. The lock is SQLite's lock on an empty
 * file: the operating system releases it with the process, so it cannot be stale.
 */
import { Database } from "bun:sqlite";

export async function whileLocked<Result>(
  file: string,
  timeoutMs: number,
  action: () => Promise<Result>,
): Promise<Result> {
  const lock = new Database(file, { create: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${timeoutMs}`);
    lock.run("BEGIN EXCLUSIVE");
    return await action();
  } finally {
    lock.close();
  }
}
