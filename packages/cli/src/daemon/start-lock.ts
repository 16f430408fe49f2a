/**
 * Lets one start at a time happen for an address, so that a second one finds what the first has started. The lock is
 * SQLite's on an otherwise empty file: the operating system drops it with the process, so it can never be stale.
 */
import { Database } from "bun:sqlite";

export async function whileLocked<Result>(
  file: string,
  patienceMs: number,
  action: () => Promise<Result>,
): Promise<Result> {
  const lock = new Database(file, { create: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${patienceMs}`);
    lock.run("BEGIN EXCLUSIVE");
    return await action();
  } finally {
    lock.close();
  }
}
