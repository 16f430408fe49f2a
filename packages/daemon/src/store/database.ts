/** The SQLite database: opening, settings, schema versions, and how its failures are told to clients. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { ProblemError } from "@sandbox-agent/schema/problem";
import { importTailFiles } from "./tail-files.ts";

/**
 * One entry per schema version, applied in order; `user_version` counts those applied. Never change an entry that was
 * released, add one.
 *
 * A row of events has the id session number × 2^32 + sequence of its last event: the events of a session lie together in
 * order, without a second index. `commits` gives the order across sessions: one row per session and commit.
 */
const migrations = [
  `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    state TEXT NOT NULL,
    first_sequence INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    open INTEGER NOT NULL
  );
  CREATE INDEX sessions_open ON sessions (number) WHERE open = 1;
  CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT NOT NULL, raw TEXT);
  CREATE TABLE commits (
    position INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
  );
  CREATE TABLE messages (
    session INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    message_id TEXT NOT NULL,
    after_sequence INTEGER NOT NULL,
    steered INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session, key)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    directory TEXT NOT NULL,
    turn INTEGER,
    reason TEXT NOT NULL,
    title TEXT,
    tree TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX checkpoints_session ON checkpoints (session);
  CREATE INDEX checkpoints_directory ON checkpoints (directory);
  CREATE TABLE directory_config (
    kind TEXT NOT NULL,
    directory TEXT NOT NULL,
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    PRIMARY KEY (kind, directory, name)
  ) WITHOUT ROWID;
  `,
  // A row of events may hold many of them, which older versions do not know.
  "SELECT 1",
  // A long row of them may be compressed, which they do not know either.
  "SELECT 1",
  // A row may hold those of several commits, and the newest may lie in the tail: neither do they know that.
  "SELECT 1",
  // The newest events, which were in files beside the database before; `importTailFiles` reads those.
  `
  CREATE TABLE recent (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, event TEXT NOT NULL, raw TEXT);
  `,
  // A random id. A reader that comes back with a cursor of another log is recognized by it.
  `
  CREATE TABLE log (id TEXT NOT NULL);
  INSERT INTO log (id) VALUES (lower(hex(randomblob(8))));
  `,
  // Signed tokens (`access/signed-tokens.ts`): the key they are signed with, and those that were made.
  `
  CREATE TABLE access_key (jwk TEXT NOT NULL);
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT,
    scopes TEXT NOT NULL,
    sessions TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) WITHOUT ROWID;
  `,
];

export const pageCacheKiB = 8 * 1024;
/** With so many pages in the write-ahead log, a commit carries them over itself: `WalDrain` has not come to it. */
const walPages = 16 * 1024;

/** Opens the database at a path, or in memory with `:memory:`, and brings its schema up to date. */
export function openDatabase(path: string): Database {
  // Configurations of MCP servers hold keys: they are nobody else's business. The files beside it get the same mode.
  const isNew = path === ":memory:" || !existsSync(path);
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new Database(path);
  // A commit in WAL mode survives the death of the process at any moment; NORMAL leaves only power loss to the last
  // checkpoint. The busy timeout is short because the wait blocks every other session.
  // A new file holds nothing yet that a power failure could take, so its set-up does not wait for the disk.
  if (isNew) database.run("PRAGMA synchronous = OFF");
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA busy_timeout = 50");
  database.run(`PRAGMA cache_size = -${pageCacheKiB}`);
  database.run(`PRAGMA wal_autocheckpoint = ${walPages}`);
  migrate(database);
  database.run("PRAGMA synchronous = NORMAL");
  if (path !== ":memory:") importTailFiles(database, path);
  return database;
}

function migrate(database: Database): void {
  const version = schemaVersion(database);
  if (version > migrations.length) {
    throw new Error(
      `the database was written by a newer version of sandbox-agent (schema ${version}, this version knows ${migrations.length}); update sandbox-agent or choose another --data-dir`,
    );
  }
  const apply = database.transaction(() => {
    for (const statements of migrations.slice(version)) database.run(statements);
    database.run(`PRAGMA user_version = ${migrations.length}`);
  });
  if (version < migrations.length) apply.immediate();
}

function schemaVersion(database: Database): number {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Failures of SQLite and of the disk as the problem a client is told, with the way out. Anything else is passed on as it is. */
export function storageProblem(error: unknown): unknown {
  if (!(error instanceof SQLiteError || isRefusedWrite(error))) return error;
  const { code = "SQLITE_ERROR", message } = error;
  return new ProblemError("storage_unavailable", `${causeOf(code, message)}; nothing was changed, try again`, {
    details: { code, message },
  });
}

/** Does work on the database; its failures are storage problems. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageProblem(error);
  }
}

function isRefusedWrite(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && error.syscall === "write" && "code" in error;
}

function causeOf(code: string, message: string): string {
  if (code === "SQLITE_FULL" || code === "ENOSPC") return "the disk that holds the event log is full: free some space";
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return "the event log is locked by another process";
  if (code.startsWith("SQLITE_IOERR") || code === "EIO") return "the event log cannot be written: check the disk";
  if (code.startsWith("SQLITE_READONLY")) return "the event log is read-only: check its permissions";
  return `the event log failed (${message})`;
}
