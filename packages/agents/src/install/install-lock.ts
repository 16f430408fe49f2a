/**
 * Lets one process at a time change the folder of an agent. It uses SQLite's lock on an otherwise empty file: the operating
 * system releases it when the process exits, so it is never stale.
 */
import { Database } from "bun:sqlite";

const pollMs = 100;

/** `onWait` is called once if the lock is taken. Waiting does not block this process. */
export async function whileLocked<Result>(
  file: string,
  onWait: () => void,
  action: () => Promise<Result>,
): Promise<Result> {
  const lock = new Database(file, { create: true });
  try {
    if (!tryLock(lock)) {
      onWait();
      while (!tryLock(lock)) await Bun.sleep(pollMs);
    }
    return await action();
  } finally {
    lock.close();
  }
}

function tryLock(lock: Database): boolean {
  try {
    lock.run("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return false;
    throw error;
  }
}
