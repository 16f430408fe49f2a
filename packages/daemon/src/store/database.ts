/** The SQLite database: opening, settings, schema versions, and its failures as problems for clients. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { ProblemError } from "@sandbox-agent/schema/problem";
import { importTailFiles } from "./tail-files.ts";

/**
 * One entry per schema version, applied in order; `user_version` counts those applied. Never change an entry that was
 * released, add one.
 *
 * The id of a row of events is session number × 2^32 + sequence of its last event, so the events of a session are stored in
 * order without a second index. `commits` gives the order across sessions: one row per session and commit.
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
  // From here on a row may contain many events, which older versions cannot read.
  "SELECT 1",
  // From here on a long row may be compressed.
  "SELECT 1",
  // From here on a row may contain the events of several commits, and the newest events may be in tail files.
  "SELECT 1",
  // The newest events. Earlier versions stored them in tail files; `importTailFiles` reads those.
  `
  CREATE TABLE recent (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, event TEXT NOT NULL, raw TEXT);
  `,
  // A random id, by which a cursor of another log is recognized.
  `
  CREATE TABLE log (id TEXT NOT NULL);
  INSERT INTO log (id) VALUES (lower(hex(randomblob(8))));
  `,
  // Signed tokens (`access/signed-tokens.ts`): the signing key and the issued tokens.
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
/** With this many pages in the write-ahead log, SQLite checkpoints inside a commit, because `WalDrain` does not keep up. */
const walPages = 16 * 1024;

/** Opens the database at a path, or in memory with `:memory:`, and brings its schema up to date. */
export function openDatabase(path: string): Database {
  // The configuration of MCP servers contains secrets, so other users get no access. SQLite gives the -wal and -shm files the same mode.
  const isNew = path === ":memory:" || !existsSync(path);
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new Database(path);
  // In WAL mode a commit survives a crash of the process. With synchronous = NORMAL, a power failure can lose the commits since
  // the last checkpoint. The busy timeout is short because the wait blocks every other session.
  // A new database has no data to lose, so creating it does not wait for the disk.
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

/** Turns failures of SQLite and of the disk into a problem with a remedy. All other errors are returned unchanged. */
export function storageProblem(error: unknown): unknown {
  if (!(error instanceof SQLiteError || isFailedWrite(error))) return error;
  const { code = "SQLITE_ERROR", message } = error;
  return new ProblemError("storage_unavailable", `${causeOf(code, message)}; nothing was changed, try again`, {
    details: { code, message },
  });
}

/** Runs work on the database and turns its failures into storage problems. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageProblem(error);
  }
}

function isFailedWrite(error: unknown): error is Error & { code: string } {
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
