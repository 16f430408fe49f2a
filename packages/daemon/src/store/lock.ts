/**
 * One daemon per data directory. The lock is SQLite's own on a file of its own, held open in an exclusive transaction:
 * the operating system drops it when the process dies, however it dies, so it can never be stale.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { privateFileMode } from "./private-directory.ts";

export interface DirectoryLock {
  release(): void;
}

/** Another daemon has it. */
export class DirectoryInUse extends Error {
  constructor(directory: string, cause: unknown) {
    super(
      `the data directory ${directory} is in use by another sandbox-agent; stop it or choose another with --data-dir. To use one together, run \`sandbox-agent daemon start\` first`,
      { cause },
    );
  }
}

export function lockDirectory(lockFile: string, directory: string): DirectoryLock {
  closeSync(openSync(lockFile, "a", privateFileMode));
  const database = new Database(lockFile);
  try {
    database.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (!isLocked(cause)) throw new Error(`the lock file ${lockFile} cannot be used; remove it`, { cause });
    throw new DirectoryInUse(directory, cause);
  }
  return { release: () => database.close() };
}

function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true;
}
