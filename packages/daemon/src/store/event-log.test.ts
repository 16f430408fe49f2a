import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTaskFailure, type TaskFailure } from "@sandbox-agent/agents";
import { ProblemError } from "@sandbox-agent/schema";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "./database.ts";
import type { LogRecord } from "./encode.ts";
import { EventLog } from "./event-log.ts";
import { type EventRow, recordsIn, sessionNumberOf } from "./event-rows.ts";
import type { CommittedBatch } from "./feed.ts";
import { History } from "./history.ts";
import { hasRecent, Recent } from "./recent.ts";
import { SessionTable } from "./session-table.ts";
import type { LogWriter, Snapshot } from "./transaction.ts";
import { drainBytes } from "./wal-drain.ts";

/** A directory for a database; removed after the test. */
function freshPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-log-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "events.db");
}

function openLog(path: string) {
  const database = openDatabase(path);
  const log = new EventLog(database);
  onTestFinished(() => log.close());
  return { database, log, history: new History(database, log.recent) };
}

function records(first: number, last = first, size = 0): LogRecord[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const sequence = first + index;
    // Random text, because similar text would be compressed.
    const data = randomBytes((size * 3) / 4).toString("base64");
    return { sequence, text: JSON.stringify({ sequence, data }), raw: null };
  });
}

/** A record of exactly this many characters. */
function sized(sequence: number, characters: number): LogRecord {
  return { sequence, text: "x".repeat(characters), raw: null };
}

function writer(number: number): LogWriter {
  return { number, snapshot: () => null, snapshotStored: () => {}, hasNewState: false };
}

function sequencesOf(history: History, sessionNumber: number): number[] {
  return [...history.records(sessionNumber, 0)].map(({ sequence }) => sequence);
}

/** The events of both tables. */
function commitsOf(database: Database): { position: number; session: number; first: number; last: number }[] {
  const stored = database
    .query<{ position: number; session: number; first: number; last: number }, []>("SELECT * FROM commits")
    .all();
  const recent = database
    .query<EventRow & { position: number }, []>(
      "SELECT * FROM recent WHERE position NOT IN (SELECT position FROM commits)",
    )
    .all()
    .map((row) => {
      const session = sessionNumberOf(row.id);
      const sequences = recordsIn(row, session, 0).map(({ sequence }) => sequence);
      return { position: row.position, session, first: Math.min(...sequences), last: Math.max(...sequences) };
    });
  return [...stored, ...recent].sort((one, other) => one.position - other.position);
}

/** The sessions of the commits that were stored directly or compacted. */
function compacted(database: Database): number[] {
  const rows = database.query<{ session: number }, []>("SELECT session FROM commits ORDER BY position").all();
  return rows.map(({ session }) => session);
}

/** Limits the database to its current size. Returns a function that lifts the limit. */
function fillDisk(database: Database): () => void {
  const pages = database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  database.run(`PRAGMA max_page_count = ${pages}`);
  return () => database.run("PRAGMA max_page_count = 4294967294");
}

/** Resolves when the log has tried to store what was appended. */
function nextFlush(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The problem a call throws. */
function problemOf(call: () => void): ProblemError {
  try {
    call();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error("the call did not throw");
}

/** A writer that provides its state until it is stored. */
function writerWithState(number: number, state: Snapshot) {
  let due = true;
  return {
    number,
    snapshot: () => (due ? state : null),
    snapshotStored: () => {
      due = false;
    },
    get hasNewState() {
      return due;
    },
    isStored: () => !due,
  };
}

const [a, b] = [writer(1), writer(2)];
const big = 200_000;

describe.each(["a file", "memory"])("an event log in %s", (place) => {
  const open = () => openLog(place === "memory" ? ":memory:" : freshPath());

  test("stores appended records without a flush", async () => {
    const { log, history } = open();
    await log.append(a, records(1, 3));
    expect(history.page(1, 0)).toEqual(records(1, 3));
  });

  test("stores appended records at once with a flush", () => {
    const { log, history } = open();
    void log.append(a, records(1, 3));
    log.flush();
    expect(sequencesOf(history, 1)).toEqual([1, 2, 3]);
  });

  test("stores all appends of a tick in one commit per session", async () => {
    const { log, database } = open();
    void log.append(a, records(1));
    void log.append(b, records(1, 2));
    void log.append(a, records(2));
    await log.append(a, records(3));
    expect(commitsOf(database)).toEqual([
      { position: 1, session: 1, first: 1, last: 3 },
      { position: 2, session: 2, first: 1, last: 2 },
    ]);
  });

  test("collects a burst while it lasts, and stores it in one commit", async () => {
    const { log, database } = open();
    const first = log.append(a, records(1, 1, 5000));
    await nextFlush();
    expect(commitsOf(database)).toEqual([]);
    await Promise.all([first, log.append(a, records(2, 2, 5000))]);
    expect(commitsOf(database)).toEqual([{ position: 1, session: 1, first: 1, last: 2 }]);
  });

  test("collects what exceeds 4 K characters in a tick, up to 128 K", async () => {
    const stored: number[] = [];
    for (const characters of [4 * 1024, 4 * 1024 + 1, 128 * 1024 - 1, 128 * 1024]) {
      const { log, database } = open();
      void log.append(a, [sized(1, characters)]);
      await nextFlush();
      stored.push(commitsOf(database).length);
    }
    expect(stored).toEqual([1, 0, 0, 1]);
  });

  test("has a backlog from 256 K pending characters on", () => {
    const { log } = open();
    void log.append(a, [sized(1, 256 * 1024 - 1)]);
    expect(log.backlog).toBeUndefined();
    void log.append(a, [sized(2, 1)]);
    expect(log.backlog).toBeInstanceOf(Promise);
  });

  test("has a backlog until the pending records are stored", async () => {
    const { log, history } = open();
    void log.append(a, records(1));
    expect(log.backlog).toBeUndefined();
    void log.append(a, records(2, 3, big));
    expect(log.backlog).toBeInstanceOf(Promise);
    await log.backlog;
    expect([log.backlog, sequencesOf(history, 1)]).toEqual([undefined, [1, 2, 3]]);
  });

  test("publishes each commit to the feed once, in order", async () => {
    const { log } = open();
    const received: unknown[] = [];
    log.feed.subscribe(null, {
      deliver: ({ sessionNumber, position, first, last }) => received.push({ sessionNumber, position, first, last }),
    });
    void log.append(a, records(1, 2));
    await log.append(b, records(1));
    await log.append(a, records(3));
    expect(received).toEqual([
      { sessionNumber: 1, position: 1, first: 1, last: 2 },
      { sessionNumber: 2, position: 2, first: 1, last: 1 },
      { sessionNumber: 1, position: 3, first: 3, last: 3 },
    ]);
  });

  test("publishes nothing before its transaction is committed", async () => {
    const { log, database } = open();
    const received: boolean[] = [];
    log.feed.subscribe(1, { deliver: () => received.push(database.inTransaction) });
    await log.append(a, records(1));
    expect(received).toEqual([false]);
  });

  test("has the records that are not stored yet", async () => {
    const { log } = open();
    const stored = log.append(a, records(1, 2));
    expect(log.pendingRecords(1)).toEqual(records(1, 2));
    await stored;
    expect(log.pendingRecords(1)).toEqual([]);
  });

  test("does nothing for an empty list of records", async () => {
    const { log, database } = open();
    await log.append(a, []);
    expect(commitsOf(database)).toEqual([]);
  });

  describe("whose disk is full", () => {
    test("throws the problem and publishes nothing", () => {
      const { log, database, history } = open();
      const received: CommittedBatch[] = [];
      log.feed.subscribe(null, { deliver: (batch) => received.push(batch) });
      fillDisk(database);
      void log.append(a, records(1, 1, big));
      expect(problemOf(() => log.flush()).kind).toBe("storage_unavailable");
      expect([received, history.page(1, 0), commitsOf(database)]).toEqual([[], [], []]);
    });

    test("keeps everything and retries until there is space", async () => {
      const { log, database, history } = open();
      await log.append(a, records(1));
      const makeSpace = fillDisk(database);
      const first = log.append(a, records(2, 3, big));
      await nextFlush();
      const second = log.append(a, records(4));
      const other = log.append(b, records(1));
      problemOf(() => log.flush());
      makeSpace();
      await Promise.all([first, second, other]);
      expect([sequencesOf(history, 1), sequencesOf(history, 2)]).toEqual([[1, 2, 3, 4], [1]]);
    });

    test("publishes what was kept once, in order and without a gap", async () => {
      const { log, database } = open();
      const received: unknown[] = [];
      log.feed.subscribe(1, { deliver: ({ position, first, last }) => received.push({ position, first, last }) });
      await log.append(a, records(1));
      const makeSpace = fillDisk(database);
      void log.append(a, records(2, 3, big));
      problemOf(() => log.flush());
      const stored = log.append(a, records(4));
      makeSpace();
      await stored;
      expect(received).toEqual([
        { position: 1, first: 1, last: 1 },
        { position: 2, first: 2, last: 4 },
      ]);
    });

    test("rejects a commit and stores nothing of it", () => {
      const { log, database, history } = open();
      const table = new SessionTable(database);
      const received: CommittedBatch[] = [];
      log.feed.subscribe(null, { deliver: (batch) => received.push(batch) });
      const makeSpace = fillDisk(database);
      const insert = () => table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
      expect(problemOf(() => log.commit(a, records(1, 1, big), insert)).kind).toBe("storage_unavailable");
      makeSpace();
      log.flush();
      expect([received, history.page(1, 0), commitsOf(database), table.listBefore(9, {}).ids]).toEqual([
        [],
        [],
        [],
        [],
      ]);
    });

    test("accepts the same commit once there is space", () => {
      const { log, database } = open();
      const makeSpace = fillDisk(database);
      problemOf(() => log.commit(a, records(1, 1, big)));
      makeSpace();
      log.commit(a, records(1, 1, big));
      expect(commitsOf(database)).toEqual([{ position: 1, session: 1, first: 1, last: 1 }]);
    });
  });
});

describe("a commit", () => {
  let database: Database;
  let log: EventLog;
  let history: History;
  beforeEach(() => {
    ({ database, log, history } = openLog(":memory:"));
  });

  test("is stored and published when it returns", () => {
    const received: number[] = [];
    log.feed.subscribe(1, { deliver: ({ last }) => received.push(last) });
    log.commit(a, records(1, 2));
    expect([sequencesOf(history, 1), received]).toEqual([[1, 2], [2]]);
  });

  test("comes after everything that was appended before it", () => {
    void log.append(a, records(1, 2));
    log.commit(a, records(3));
    expect(sequencesOf(history, 1)).toEqual([1, 2, 3]);
  });

  test("includes the writes of the same transaction", () => {
    const table = new SessionTable(database);
    log.commit(a, records(1), () => table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 }));
    expect(table.find("s")).toMatchObject({ number: 1 });
  });

  test("whose further writes fail stores nothing", () => {
    const table = new SessionTable(database);
    const insertTwice = () => {
      table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
      table.insert({ number: 2, id: "s", spec: { agent: "mock" }, createdAt: 1 });
    };
    expect(problemOf(() => log.commit(a, records(1), insertTwice)).kind).toBe("storage_unavailable");
    expect([table.listBefore(9, {}).ids, sequencesOf(history, 1), log.position]).toEqual([[], [], 0]);
  });

  test("throws an error that does not come from the database unchanged", () => {
    const conflict = new ProblemError("conflict", "no");
    const refuse = () => {
      throw conflict;
    };
    expect(problemOf(() => log.commit(a, records(1), refuse))).toBe(conflict);
    expect(database.inTransaction).toBe(false);
  });
});

describe("an error that does not come from the database", () => {
  test("is not treated as a failed write", () => {
    const { log } = openLog(":memory:");
    const snapshot = () => {
      throw new Error("a bug");
    };
    void log.append({ ...a, snapshot }, records(1, 1, big));
    expect(() => log.tryFlush()).toThrow("a bug");
    log.discard(1);
  });
});

describe("the id of a log", () => {
  test("stays the same and is unique", () => {
    const path = freshPath();
    const { id } = openLog(path).log;
    expect([openLog(path).log.id === id, openLog(freshPath()).log.id === id]).toEqual([true, false]);
  });
});

describe("the write-ahead log", () => {
  const store: [string, (log: EventLog, records: LogRecord[]) => void][] = [
    ["appended", (log, records) => void log.append(writer(1), records)],
    ["committed", (log, records) => log.commit(writer(1), records)],
  ];

  test.each(store)("is checkpointed after much was %s", async (_, put) => {
    const path = freshPath();
    const { database, log } = openLog(path);
    database.run("PRAGMA wal_autocheckpoint = 0");
    put(log, records(1, 6, 1024 * 1024));
    await expect.poll(() => statSync(path).size, { timeout: 20_000 }).toBeGreaterThan(drainBytes);
  });
});

describe("the newest commit", () => {
  test("is returned for its own start, and nothing for its end", () => {
    const { log } = openLog(":memory:");
    log.commit(writer(1), records(1, 2));
    log.commit(writer(1), records(3, 5));
    const sequencesAfter = (after: number) => log.newestAfter(1, after)?.map(({ sequence }) => sequence) ?? null;
    expect(sequencesAfter(2)).toEqual([3, 4, 5]);
    expect(sequencesAfter(5)).toEqual([]);
  });

  test("is not returned for an earlier sequence, one within it, or another session", () => {
    const { log } = openLog(":memory:");
    log.commit(writer(1), records(1, 2));
    log.commit(writer(2), records(1, 1));
    log.commit(writer(1), records(3, 5));
    expect([0, 1, 3].map((after) => log.newestAfter(1, after))).toEqual([null, null, null]);
    expect(log.newestAfter(2, 1)).toBeNull();
  });

  test("is the last of those that were stored together", () => {
    const { log } = openLog(":memory:");
    void log.append(writer(1), records(1));
    void log.append(writer(2), records(1));
    log.flush();
    expect(log.newestAfter(1, 1)).toBeNull();
    expect(log.newestAfter(2, 1)).toEqual([]);
  });
});

describe("a published event", () => {
  test.each<[string, (log: EventLog) => void]>([
    ["appended", (log) => void log.append(a, records(1, 2))],
    ["committed", (log) => log.commit(a, records(1, 2))],
  ])("and that was %s can be read by others", async (_, write) => {
    const path = freshPath();
    const { database, log } = openLog(path);
    new SessionTable(database).insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
    using other = new Database(path, { readonly: true });
    const seen = new Promise((resolve) => {
      const deliver = () => resolve(new History(other, new Recent(other)).page(1, 0));
      log.feed.subscribe(1, { deliver });
    });
    write(log);
    expect(await seen).toEqual(records(1, 2));
  });
});

describe("the state of a session", () => {
  function openWithSession() {
    const opened = openLog(":memory:");
    const table = new SessionTable(opened.database);
    table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
    return { ...opened, table };
  }

  test("is stored with its events", () => {
    const { log, table } = openWithSession();
    const session = writerWithState(1, { state: '{"sequence":1}', updatedAt: 5, open: true });
    log.commit(session, records(1));
    expect(table.unfinished([])).toMatchObject([{ id: "s", state: { sequence: 1 }, updatedAt: 5 }]);
    expect(session.isStored()).toBe(true);
  });

  test("is due again when the write failed", async () => {
    const { log, table, database } = openWithSession();
    const session = writerWithState(1, { state: '{"sequence":1}', updatedAt: 5, open: true });
    const makeSpace = fillDisk(database);
    const stored = log.append(session, records(1, 1, big));
    problemOf(() => log.flush());
    expect(session.isStored()).toBe(false);
    makeSpace();
    await stored;
    expect(table.find("s")).toMatchObject({ state: { sequence: 1 } });
  });

  describe("that is deferred", () => {
    /** A writer that keeps its state back until it is asked for with the late ones. */
    function lateWriter() {
      const prompt = writerWithState(1, { state: '{"sequence":9}', updatedAt: 5, open: false });
      return {
        number: prompt.number,
        get hasNewState() {
          return prompt.hasNewState;
        },
        snapshot: (late: boolean) => (late ? prompt.snapshot() : null),
        snapshotStored: prompt.snapshotStored,
        isStored: prompt.isStored,
      };
    }

    const stateIn = (table: SessionTable) => table.find("s")?.state;

    test("is not stored with its events, but soon after", async () => {
      const { log, table } = openWithSession();
      const session = lateWriter();
      await log.append(session, records(1));
      expect([stateIn(table), session.isStored()]).toEqual([{}, false]);
      await expect.poll(() => stateIn(table), { timeout: 10_000 }).toEqual({ sequence: 9 });
      expect(session.isStored()).toBe(true);
    });

    test("is not stored with a command either, and is retried when the write fails", async () => {
      const path = freshPath();
      const { log, database } = openLog(path);
      const table = new SessionTable(database);
      table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
      const failures: TaskFailure[] = [];
      onTestFinished(onTaskFailure((failure) => failures.push(failure)));
      log.commit(lateWriter(), records(1));
      expect(stateIn(table)).toEqual({});
      using other = new Database(path);
      other.run("BEGIN IMMEDIATE");
      await expect.poll(() => failures.length, { timeout: 10_000 }).toBe(1);
      other.run("ROLLBACK");
      await expect.poll(() => stateIn(table), { timeout: 10_000 }).toEqual({ sequence: 9 });
    });

    test("is stored when everything is flushed", async () => {
      const { log, table } = openWithSession();
      await log.append(lateWriter(), records(1));
      log.tryFlushAll();
      expect(stateIn(table)).toEqual({ sequence: 9 });
    });

    test("is retried when the write fails", async () => {
      const path = freshPath();
      const { log, database } = openLog(path);
      const table = new SessionTable(database);
      table.insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
      await log.append(lateWriter(), records(1));
      using other = new Database(path);
      other.run("BEGIN IMMEDIATE");
      log.tryFlushAll();
      expect(stateIn(table)).toEqual({});
      other.run("ROLLBACK");
      await expect.poll(() => stateIn(table), { timeout: 10_000 }).toEqual({ sequence: 9 });
    });

    test("is discarded with a deleted session", async () => {
      const { log, table } = openWithSession();
      await log.append(lateWriter(), records(1));
      log.discard(1);
      log.tryFlushAll();
      expect(stateIn(table)).toEqual({});
    });
  });
});

describe("positions", () => {
  test("continue after a restart", () => {
    const path = freshPath();
    const first = new EventLog(openDatabase(path));
    first.commit(a, records(1));
    first.commit(b, records(1));
    first.close();
    const { log, database } = openLog(path);
    log.commit(a, records(2));
    expect([log.position, commitsOf(database)[2]]).toEqual([3, { position: 3, session: 1, first: 2, last: 2 }]);
  });
});

describe("a log that is closed", () => {
  /** How a process ends that closes a log, 0 if it ends by itself. */
  function exitCodeAfter(script: string): number | null {
    const imports = ["database.ts", "event-log.ts"].map((file) => JSON.stringify(join(import.meta.dirname, file)));
    const path = JSON.stringify(freshPath());
    const preparation = `
      const { Database } = await import("bun:sqlite");
      const { openDatabase } = await import(${imports[0]});
      const { EventLog } = await import(${imports[1]});
      const log = new EventLog(openDatabase(${path}));
      const other = new Database(${path});
      const writer = { number: 1, snapshot: () => null, snapshotStored: () => {}, hasNewState: false };`;
    return Bun.spawnSync([process.execPath, "-e", preparation + script], { timeout: 15_000 }).exitCode;
  }

  test("does not keep the process alive", () => {
    expect(exitCodeAfter('log.commit(writer, [{ sequence: 1, text: "{}", raw: null }]); log.close();')).toBe(0);
  });

  test("does not keep the process alive even if something could not be stored", () => {
    const refused = 'other.run("BEGIN IMMEDIATE"); log.append(writer, [{ sequence: 1, text: "{}", raw: null }]);';
    expect(exitCodeAfter(`${refused} log.close();`)).toBe(0);
    expect(exitCodeAfter(`${refused} setImmediate(() => setImmediate(() => log.close()));`)).toBe(0);
  });
});

describe("a session that is deleted", () => {
  test("loses its pending records, and others keep theirs", async () => {
    const { log, history } = openLog(":memory:");
    void log.append(a, records(1));
    const stored = log.append(b, records(1));
    log.discard(1);
    await stored;
    expect([sequencesOf(history, 1), sequencesOf(history, 2)]).toEqual([[], [1]]);
  });

  test("does not prevent others from being stored", async () => {
    const { log, history } = openLog(":memory:");
    void log.append(a, records(1));
    log.discard(1);
    await nextFlush();
    await log.append(b, records(1));
    expect(sequencesOf(history, 2)).toEqual([1]);
  });
});

describe("a listener", () => {
  test("may append: the promise resolves when that is stored", async () => {
    const { log, history } = openLog(":memory:");
    const answered = new Promise<number[]>((resolve) => {
      const stop = log.feed.subscribe(1, {
        deliver: () => {
          stop();
          void log.append(b, records(1)).then(() => resolve(sequencesOf(history, 2)));
        },
      });
    });
    void log.append(a, records(1));
    expect(await answered).toEqual([1]);
  });

  test("that throws does not affect the log", async () => {
    const { log, history } = openLog(":memory:");
    const stop = log.feed.subscribe(1, {
      deliver: () => {
        throw new Error("a broken reader");
      },
    });
    void log.append(a, records(1));
    void log.append(b, records(1));
    log.flush();
    stop();
    log.commit(b, records(2));
    expect(sequencesOf(history, 2)).toEqual([1, 2]);
  });
});

describe("recent events", () => {
  function openWithSessions(path = freshPath()) {
    const database = openDatabase(path);
    const log = new EventLog(database);
    onTestFinished(() => log.close());
    const table = new SessionTable(database);
    for (const [index, id] of ["a", "b"].entries())
      if (!table.find(id)) table.insert({ number: index + 1, id, spec: { agent: "mock" }, createdAt: 1 });
    database.run("UPDATE sessions SET state = '{\"sequence\":0}' WHERE state = '{}'");
    return { path, database, log, table, history: new History(database, log.recent) };
  }

  const rowsOf = (database: Database) => database.query<{ id: number }, []>("SELECT id FROM events").all().length;
  const globalIds = (history: History, position = 0) =>
    history.globalPage({ position, sequence: 0 }).records.map((each) => `${each.position}.${each.sequence}`);

  test("can be read at once, and are soon compacted into one row", async () => {
    const { database, log, history } = openWithSessions();
    await log.append(a, records(1));
    await log.append(a, records(2, 3));
    expect([sequencesOf(history, 1), compacted(database), log.recent.sessionNumbers]).toEqual([[1, 2, 3], [], [1]]);
    await expect.poll(() => compacted(database), { timeout: 10_000 }).toEqual([1, 1]);
    expect([sequencesOf(history, 1), rowsOf(database), log.recent.sessionNumbers]).toEqual([[1, 2, 3], 1, []]);
  });

  test("of every session are compacted, also when many are active", async () => {
    const { database, log, table } = openWithSessions();
    for (let number = 3; number <= 120; number++)
      table.insert({ number, id: `s${number}`, spec: { agent: "mock" }, createdAt: 1 });
    for (let number = 1; number <= 120; number++) void log.append(writer(number), records(1));
    log.flush();
    for (let before = 0; before < 120; ) {
      await nextFlush();
      const { length } = compacted(database);
      // Few sessions per step, so that others are served in between.
      expect(length - before).toBeLessThanOrEqual(3);
      before = length;
    }
    expect(log.recent.sessionNumbers).toEqual([]);
  });

  test("of a session are compacted without waiting with the hundredth of them, and only then", () => {
    const { database, log } = openWithSessions();
    const failures: TaskFailure[] = [];
    onTestFinished(onTaskFailure((failure) => failures.push(failure)));
    const counts = [
      [1, 99],
      [100, 100],
      [101, 101],
    ].map(([first = 0, last]) => {
      database.run("CREATE TRIGGER refuse BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'refused'); END");
      void log.append(a, records(first, last));
      log.flush();
      database.run("DROP TRIGGER refuse");
      return failures.length;
    });
    expect(counts).toEqual([0, 1, 1]);
    expect(log.recent.recordsOf(1)).toHaveLength(101);
  });

  test("of a session with many of them are compacted without waiting", async () => {
    const { database, log, history } = openWithSessions();
    await log.append(a, records(1, 60));
    await log.append(b, records(1));
    expect(compacted(database)).toEqual([]);
    await log.append(a, records(61, 120));
    expect([compacted(database), log.recent.sessionNumbers]).toEqual([[1, 1], [2]]);
    expect(sequencesOf(history, 1)).toHaveLength(120);
  });

  test("are limited: beyond a megabyte, further events are stored in `events`", async () => {
    const { database, log } = openWithSessions();
    for (let number = 1; number <= 20; number++) {
      void log.append(writer(number), records(1, 1, 60_000));
      log.flush();
    }
    expect(compacted(database)).toContain(20);
    await expect.poll(() => log.recent.sessionNumbers, { timeout: 10_000 }).toEqual([]);
    await log.append(a, records(2));
    expect(log.recent.sessionNumbers).toEqual([1]);
  });

  test("beyond the limit are compacted without waiting", () => {
    const { database, log } = openWithSessions();
    let sequence = 0;
    while (compacted(database).length === 0) {
      expect(sequence).toBeLessThan(18);
      void log.append(a, records(++sequence, sequence, 60_000));
      log.flush();
    }
    // The last one crossed the limit, and was compacted together with those before.
    expect(sequence).toBe(18);
    expect([compacted(database).length, log.recent.isEmpty]).toEqual([18, true]);
  });

  test("whose compaction failed are compacted with the next one, not before", async () => {
    const { path, database, log } = openWithSessions();
    const busy = openWithSessions();
    const compact = vi.spyOn(log, "compact");
    await log.append(a, records(1));
    using other = new Database(path);
    const failures: TaskFailure[] = [];
    onTestFinished(onTaskFailure((failure) => failures.push(failure)));
    other.run("BEGIN IMMEDIATE");
    await expect.poll(() => failures.length, { timeout: 10_000 }).toBe(1);
    await busy.log.append(a, records(1));
    await expect.poll(() => compacted(busy.database).length, { timeout: 10_000 }).toBe(1);
    expect(compact.mock.calls.length).toBeLessThan(5);
    other.run("ROLLBACK");
    await expect.poll(() => compacted(database), { timeout: 10_000 }).toEqual([1]);
  });

  test("need no write if there are none", () => {
    const { path, log } = openWithSessions();
    log.commit(a, records(1));
    using other = new Database(path);
    other.run("BEGIN IMMEDIATE");
    expect(() => log.compact([1, 2])).not.toThrow();
  });

  test("cause no further writes once all are compacted", async () => {
    const [idle, busy] = [openWithSessions(), openWithSessions()];
    await idle.log.append(a, records(1));
    await expect.poll(() => compacted(idle.database), { timeout: 10_000 }).toEqual([1]);
    const compact = vi.spyOn(idle.log, "compact");
    // Longer than the delay of a compaction.
    for (const sequence of [1, 2]) {
      await busy.log.append(a, records(sequence));
      await expect.poll(() => compacted(busy.database).length, { timeout: 10_000 }).toBe(sequence);
    }
    expect(compact).not.toHaveBeenCalled();
  });

  test("do not include more than 64 K characters that are stored together", () => {
    const { database, log } = openWithSessions();
    const counts = [64 * 1024, 64 * 1024, 64 * 1024 + 1].map((characters, index) => {
      void log.append(a, [sized(index + 1, characters)]);
      log.flush();
      return compacted(database).length;
    });
    expect(counts).toEqual([0, 0, 3]);
  });

  test("do not include bursts", async () => {
    const { database, log } = openWithSessions();
    await log.append(a, records(1, 1, big));
    expect(compacted(database)).toEqual([1]);
  });

  test("of a session are compacted with its next command, those of others are not", async () => {
    const { database, log } = openWithSessions();
    void log.append(a, records(1));
    await log.append(b, records(1));
    log.commit(a, records(2));
    expect([compacted(database), log.recent.sessionNumbers]).toEqual([[1, 1], [2]]);
    expect(commitsOf(database)).toEqual([
      { position: 1, session: 1, first: 1, last: 1 },
      { position: 2, session: 2, first: 1, last: 1 },
      { position: 3, session: 1, first: 2, last: 2 },
    ]);
  });

  test("are in the order of all sessions", async () => {
    const { log, history } = openWithSessions();
    for (const sequence of [1, 2, 3]) {
      await log.append(a, records(sequence));
      await log.append(b, records(sequence));
    }
    log.compact([1]);
    await log.append(a, records(4));
    expect(globalIds(history)).toEqual(["1.1", "2.1", "3.2", "4.2", "5.3", "6.3", "7.4"]);
    expect(globalIds(history, 4)).toEqual(["4.2", "5.3", "6.3", "7.4"]);
  });

  test("survive a crash, and the log continues after them", async () => {
    const { path, log } = openWithSessions();
    await log.append(a, records(1, 2));
    log.commit(b, records(1));
    await log.append(b, records(2));
    const again = openWithSessions(path);
    expect([sequencesOf(again.history, 1), sequencesOf(again.history, 2)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect([again.log.position, again.log.recent.sessionNumbers]).toEqual([3, [1, 2]]);
    again.log.commit(a, records(3));
    again.log.tryFlushAll();
    expect(globalIds(openWithSessions(path).history)).toEqual(["1.1", "1.2", "2.1", "3.2", "4.3"]);
  });

  test("are not read twice after a crash between compaction and the deletion of their rows", async () => {
    const { path, database, log } = openWithSessions();
    await log.append(a, records(1, 2));
    await log.append(b, records(1));
    log.compact([1]);
    expect(database.query("SELECT count(*) AS rows FROM recent").get()).toEqual({ rows: 2 });
    const again = openWithSessions(path);
    expect([again.log.recent.sessionNumbers, again.log.position]).toEqual([[2], 2]);
    expect(globalIds(again.history)).toEqual(["1.1", "1.2", "2.1"]);
  });

  test("leave no rows behind once all of them are compacted", async () => {
    const { database, log } = openWithSessions();
    const rows = () => database.query<{ rows: number }, []>("SELECT count(*) AS rows FROM recent").get()?.rows;
    await log.append(a, records(1));
    await log.append(b, records(1));
    expect(rows()).toBe(2);
    await expect.poll(rows, { timeout: 10_000 }).toBe(0);
  });

  test("of a session that is still to be compacted keep their rows", async () => {
    const { database, log } = openWithSessions();
    await log.append(a, records(1));
    await log.append(b, records(1));
    log.compact([1]);
    log.recent.prune();
    expect(database.query("SELECT position FROM recent").all()).toEqual([{ position: 2 }]);
  });

  test("wait in memory while the database is locked, and are stored once it is free", async () => {
    const { path, log, history } = openWithSessions();
    await log.append(a, records(1));
    using other = new Database(path);
    other.run("BEGIN IMMEDIATE");
    const stored = log.append(a, records(2));
    expect(problemOf(() => log.flush()).kind).toBe("storage_unavailable");
    expect(problemOf(() => log.commit(a, records(3))).kind).toBe("storage_unavailable");
    expect(problemOf(() => log.compact([1])).kind).toBe("storage_unavailable");
    log.tryFlushAll();
    expect(sequencesOf(history, 1)).toEqual([1]);
    other.run("ROLLBACK");
    await stored;
    expect(sequencesOf(history, 1)).toEqual([1, 2]);
  });

  test("that cannot be stored are reported once for each outage", async () => {
    const failures: TaskFailure[] = [];
    onTestFinished(onTaskFailure((failure) => failures.push(failure)));
    const { path, log } = openWithSessions();
    using other = new Database(path);
    for (const sequence of [1, 2]) {
      other.run("BEGIN IMMEDIATE");
      void log.append(a, records(sequence));
      // Only the first failed write is reported.
      for (let attempt = 0; attempt < 3; attempt++) {
        log.tryFlush();
        expect(failures).toHaveLength(sequence);
      }
      other.run("ROLLBACK");
      log.flush();
      expect(failures).toHaveLength(sequence);
    }
    expect(failures[0]?.error).toMatchObject({ kind: "storage_unavailable" });
  });

  test("of a deleted session keep their positions", async () => {
    const { path, log, table } = openWithSessions();
    await log.append(a, records(1));
    log.compact([1]);
    table.delete(1);
    log.discard(1);
    log.close();
    expect(new EventLog(openDatabase(path)).position).toBe(1);
  });

  test("and pending ones are stored when the log is closed, and none stays recent", async () => {
    const { path, log } = openWithSessions();
    await log.append(a, records(1));
    void log.append(a, records(2));
    log.close();
    using database = openDatabase(path);
    expect([compacted(database), hasRecent(database)]).toEqual([[1, 1], false]);
  });

  test("that could not be stored or compacted before the log is closed are not retried", async () => {
    const { path, log } = openWithSessions();
    const busy = openWithSessions();
    await log.append(a, records(1));
    using other = new Database(path);
    other.run("BEGIN IMMEDIATE");
    void log.append(a, records(2));
    log.close();
    const attempts = [vi.spyOn(log, "flush"), vi.spyOn(log, "compact")];
    expect(() => log.close()).not.toThrow();
    await busy.log.append(a, records(1));
    await expect.poll(() => compacted(busy.database).length, { timeout: 10_000 }).toBe(1);
    for (const attempt of attempts) expect(attempt).not.toHaveBeenCalled();
    other.run("ROLLBACK");
    expect(sequencesOf(openWithSessions(path).history, 1)).toEqual([1]);
  });

  test("can be flushed, and the log closed, again after it is closed", () => {
    const { log } = openWithSessions();
    log.close();
    expect(() => log.tryFlushAll()).not.toThrow();
    expect(() => log.close()).not.toThrow();
  });

  test("are compacted together with the state of their session", async () => {
    const { log, table } = openWithSessions();
    const session = writerWithState(1, { state: '{"sequence":1}', updatedAt: 5, open: false });
    await log.append(session, records(1));
    expect(table.find("a")?.state).toEqual({ sequence: 0 });
    log.tryFlushAll();
    expect([table.find("a")?.state, session.isStored()]).toEqual([{ sequence: 1 }, true]);
  });

  test("are never older than the stored state, which waits for pending events", async () => {
    const { log, table } = openWithSessions();
    const session = writerWithState(1, { state: '{"sequence":2}', updatedAt: 5, open: false });
    await log.append(session, records(1));
    void log.append(session, records(2));
    log.compact([1]);
    expect([table.find("a")?.state, session.isStored()]).toEqual([{ sequence: 0 }, false]);
    log.tryFlushAll();
    expect([table.find("a")?.state, session.isStored()]).toEqual([{ sequence: 2 }, true]);
  });
});
