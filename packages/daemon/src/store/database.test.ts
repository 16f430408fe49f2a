import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase, storageProblem } from "./database.ts";

/** A directory for a database; removed after the test. */
function freshPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-database-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "events.db");
}

function tablesOf(database: Database): string[] {
  const query = database.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return query.all().map(({ name }) => name);
}

function pragma(database: Database, name: string): unknown {
  return database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get()?.[name];
}

/** The failure of a statement as a problem. */
function problemOf(database: Database, statement: string): unknown {
  try {
    database.run(statement);
  } catch (error) {
    return storageProblem(error);
  }
  throw new Error(`${statement} did not fail`);
}

describe("a database", () => {
  test.each(["a file", "memory"])("in %s has all tables when it is new", (place) => {
    using database = openDatabase(place === "memory" ? ":memory:" : freshPath());
    expect(tablesOf(database)).toEqual([
      "access_key",
      "checkpoints",
      "commits",
      "directory_config",
      "events",
      "log",
      "messages",
      "recent",
      "sessions",
      "tokens",
    ]);
  });

  test("in a file is readable only by its user", () => {
    const path = freshPath();
    using _ = openDatabase(path);
    const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
    expect(files.map((file) => statSync(file).mode & 0o077)).toEqual(files.map(() => 0));
  });

  test("that is empty is brought up to date", () => {
    const path = freshPath();
    writeFileSync(path, "");
    using database = openDatabase(path);
    expect(pragma(database, "user_version")).toBe(8);
  });

  test("keeps its data when it is opened again", () => {
    const path = freshPath();
    const first = openDatabase(path);
    first.run("INSERT INTO events (id, event) VALUES (1, 'kept')");
    first.close();
    using second = openDatabase(path);
    expect(second.query("SELECT event FROM events").all()).toEqual([{ event: "kept" }]);
  });

  test("keeps what was committed when its process dies", () => {
    const path = freshPath();
    const script = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
      openDatabase(${JSON.stringify(path)}).run("INSERT INTO events (id, event) VALUES (1, 'kept')");
      process.kill(process.pid, "SIGKILL");`;
    Bun.spawnSync([process.execPath, "-e", script]);
    using database = openDatabase(path);
    expect(database.query("SELECT event FROM events").all()).toEqual([{ event: "kept" }]);
  });

  test("of a newer version is rejected, with a remedy", () => {
    const path = freshPath();
    const newer = openDatabase(path);
    newer.run("PRAGMA user_version = 99");
    newer.close();
    expect(() => openDatabase(path)).toThrow(/newer version of sandbox-agent \(schema 99.*--data-dir/);
  });

  test("of a newer version is left unchanged", () => {
    const path = freshPath();
    const newer = new Database(path, { create: true });
    newer.run("PRAGMA user_version = 99");
    expect(() => openDatabase(path)).toThrow();
    expect([tablesOf(newer), pragma(newer, "user_version")]).toEqual([[], 99]);
    newer.close();
  });

  test("can be opened while another process writes", () => {
    const path = freshPath();
    using writer = openDatabase(path);
    writer.run("BEGIN IMMEDIATE");
    expect(() => openDatabase(path).close()).not.toThrow();
  });

  test("in memory creates no files", () => {
    const directory = dirname(freshPath());
    writeFileSync(join(directory, "events.tail-a"), "");
    const script = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
      openDatabase(":memory:");`;
    expect(Bun.spawnSync([process.execPath, "-e", script], { cwd: directory }).exitCode).toBe(0);
    expect(readdirSync(directory)).toEqual(["events.tail-a"]);
  });

  test.each([
    ["that is new waits for the disk from its first data on", false],
    ["with data waits for the disk from the beginning", true],
  ])("%s", (_, exists) => {
    const path = freshPath();
    if (exists) openDatabase(path).close();
    const run = vi.spyOn(Database.prototype, "run");
    onTestFinished(() => run.mockRestore());
    using database = openDatabase(path);
    expect(run.mock.calls.some(([statement]) => statement === "PRAGMA synchronous = OFF")).toBe(!exists);
    expect(pragma(database, "synchronous")).toBe(1);
  });

  test("has a short busy timeout, and limits for its cache and its write-ahead log", () => {
    using database = openDatabase(freshPath());
    expect(database.query("PRAGMA busy_timeout").get()).toEqual({ timeout: 50 });
    expect(pragma(database, "cache_size")).toBe(-8 * 1024);
    expect(pragma(database, "wal_autocheckpoint")).toBe(16 * 1024);
  });

  test("uses WAL mode, so that readers do not wait for writers", () => {
    using database = openDatabase(freshPath());
    expect(pragma(database, "journal_mode")).toBe("wal");
  });
});

describe("a failure of the database", () => {
  test("on a full disk asks to free space", () => {
    using database = openDatabase(":memory:");
    database.run(`PRAGMA max_page_count = ${pragma(database, "page_count")}`);
    const problem = problemOf(database, "INSERT INTO events (id, event) VALUES (1, hex(zeroblob(100000)))");
    expect(problem).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining("free some space"),
      context: { details: { code: "SQLITE_FULL" } },
    });
  });

  test("while another process writes reports a locked log", () => {
    const path = freshPath();
    using writer = openDatabase(path);
    using database = openDatabase(path);
    writer.run("BEGIN IMMEDIATE");
    expect(problemOf(database, "BEGIN IMMEDIATE")).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining("locked by another process"),
    });
  });

  test("of a read-only database reports that", () => {
    const path = freshPath();
    openDatabase(path).close();
    using database = new Database(path, { readonly: true });
    expect(problemOf(database, "DELETE FROM events")).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining("read-only"),
    });
  });

  test("for any other reason contains SQLite's message", () => {
    using database = openDatabase(":memory:");
    expect(problemOf(database, "SELECT nonsense")).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining("nonsense"),
    });
  });

  test("of a plain file is reported the same way", () => {
    const refused = Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: "write" });
    expect(storageProblem(refused)).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining("is full"),
    });
  });

  test.each([
    ["SQLITE_FULL", "free some space"],
    ["ENOSPC", "free some space"],
    ["SQLITE_BUSY_SNAPSHOT", "locked by another process"],
    ["SQLITE_LOCKED_SHAREDCACHE", "locked by another process"],
    ["SQLITE_IOERR_WRITE", "check the disk"],
    ["EIO", "check the disk"],
    ["SQLITE_READONLY_DBMOVED", "check its permissions"],
    ["SQLITE_CORRUPT", "failed (as the system names it)"],
  ])("%s: %s", (code, advice) => {
    const failure = Object.assign(new Error("as the system names it"), { code, syscall: "write" });
    expect(storageProblem(failure)).toMatchObject({
      kind: "storage_unavailable",
      message: expect.stringContaining(advice),
      context: { details: { code, message: "as the system names it" } },
    });
  });

  test("is the only kind of error that becomes a problem", () => {
    const unfound = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" });
    const others = [new Error("a bug"), unfound, new ProblemError("conflict", "no"), "text"];
    expect(others.map(storageProblem)).toEqual(others);
  });
});
