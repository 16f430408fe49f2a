/**
 * One daemon per data directory. The lock is an exclusive SQLite transaction on a separate file: the operating system
 * releases it when the process dies for any reason, so it is never stale.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { privateFileMode } from "./private-directory.ts";

export interface DirectoryLock {
  release(): void;
}

/** Another daemon holds the lock. */
export class DirectoryInUse extends Error {
  constructor(directory: string, cause: unknown) {
    super(
      `the data directory ${directory} is in use by another sandbox-agent; stop it or choose another directory with --data-dir. To share one daemon, run \`sandbox-agent daemon start\` first`,
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
