import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import type { LogRecord } from "./encode.ts";
import { EventLog } from "./event-log.ts";
import { type GlobalCursor, type GlobalRecord, History } from "./history.ts";
import { SessionTable } from "./session-table.ts";
import type { LogWriter } from "./transaction.ts";

const tenMegabytes = 10 * 1024 * 1024;
const start: GlobalCursor = { position: 0, sequence: 0 };

let path: string;
let table: SessionTable;
let log: EventLog;
let history: History;

beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-history-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  path = join(directory, "events.db");
  const database = openDatabase(path);
  log = new EventLog(database);
  onTestFinished(() => log.close());
  history = new History(database, log.recent);
  table = new SessionTable(database);
});

function record(sequence: number, size = 0): LogRecord {
  return { sequence, text: `{"sequence":${sequence},"data":"${"x".repeat(size)}"}`, raw: null };
}

function records(first: number, last: number): LogRecord[] {
  return Array.from({ length: last - first + 1 }, (_, index) => record(first + index));
}

function writer(number: number): LogWriter {
  return { number, snapshot: () => null, snapshotStored: () => {}, hasNewState: false };
}

function commit(sessionNumber: number, ...batch: LogRecord[]): void {
  log.commit(writer(sessionNumber), batch);
}

/** The events stay recent as long as the test does not wait. */
function storeRecent(sessionNumber: number, ...batch: LogRecord[]): void {
  void log.append(writer(sessionNumber), batch);
  log.flush();
}

function sequences(page: readonly { sequence: number }[]): number[] {
  return page.map(({ sequence }) => sequence);
}

/** Everything after a cursor, page by page, as position.sequence. */
function readOn(after: GlobalCursor): string[] {
  const { records: page, next } = history.globalPage(after);
  if (next.position === after.position && next.sequence === after.sequence) return [];
  return [...page.map(frameId), ...readOn(next)];
}

function frameId({ position, sequence }: GlobalRecord): string {
  return `${position}.${sequence}`;
}

describe("a page of a session", () => {
  test("has its events in order, as they were stored", () => {
    const stored = { ...record(2), raw: '{"a":1}' };
    commit(1, record(1), stored);
    expect(history.page(1, 0)).toEqual([record(1), stored]);
  });

  test("begins after the given sequence", () => {
    commit(1, ...records(1, 5));
    expect(sequences(history.page(1, 3))).toEqual([4, 5]);
  });

  test("is empty at the end", () => {
    commit(1, ...records(1, 5));
    expect(history.page(1, 5)).toEqual([]);
  });

  test("has no events of other sessions", () => {
    for (const session of [1, 2, 3]) commit(session, record(1));
    expect(sequences(history.page(2, 0))).toEqual([1]);
  });

  test("has no more than a thousand events", () => {
    commit(1, ...records(1, 2500));
    expect(history.page(1, 0)).toHaveLength(1000);
  });

  test.each([
    [0, 0],
    [3, 3],
    [5000, 1000],
  ])("with a limit of %i has %i of many events", (limit, count) => {
    commit(1, ...records(1, 1500));
    expect(history.page(1, 0, limit)).toHaveLength(count);
  });

  test("respects the limit, and has a thousand events at most", () => {
    commit(1, ...records(1, 1200));
    expect([-1, 0, 1, 2, 5000].map((limit) => history.page(1, 0, limit).length)).toEqual([0, 0, 1, 2, 1000]);
  });

  test("is full with 256 K characters", () => {
    const sized = (sequence: number, length: number) => ({ sequence, text: "x".repeat(length), raw: null });
    commit(1, sized(1, 256 * 1024 - 1), record(2), record(3));
    commit(2, sized(1, 256 * 1024), record(2));
    expect(sequences(history.page(1, 0))).toEqual([1, 2]);
    expect(sequences(history.page(2, 0))).toEqual([1]);
  });

  test("ends with the event that makes it too large", () => {
    commit(1, record(1), record(2), record(3, tenMegabytes), record(4), record(5));
    expect(sequences(history.page(1, 0))).toEqual([1, 2, 3]);
  });

  test("counts native messages too", () => {
    commit(1, { ...record(1), raw: JSON.stringify("x".repeat(tenMegabytes)) }, record(2));
    expect(sequences(history.page(1, 0))).toEqual([1]);
  });

  test("continues after a large event", () => {
    commit(1, record(1), record(2, tenMegabytes), ...records(3, 5));
    expect(sequences(history.page(1, 2))).toEqual([3, 4, 5]);
  });

  test("has stored and recent events, from any sequence on", () => {
    commit(1, ...records(1, 3));
    storeRecent(1, ...records(4, 5));
    for (const after of [0, 1, 2, 3, 4, 5])
      expect(sequences(history.page(1, after))).toEqual([1, 2, 3, 4, 5].slice(after));
  });

  test("that ended early holds no lock", async () => {
    commit(1, record(1, tenMegabytes), record(2));
    history.page(1, 0);
    using other = openDatabase(path);
    // The thread of the log may hold a lock for a moment; a lock of the page would never end.
    const checkpoint = () => other.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
    await expect.poll(checkpoint, { timeout: 20_000 }).toMatchObject({ busy: 0 });
  });
});

describe("all records of a session", () => {
  test("are read page by page without a gap", () => {
    commit(1, ...records(1, 1500), record(1501, tenMegabytes), ...records(1502, 2600));
    expect(sequences([...history.records(1, 0)])).toEqual(sequences(records(1, 2600)));
  });

  test("are those after the given sequence", () => {
    commit(1, ...records(1, 5));
    expect(sequences([...history.records(1, 3)])).toEqual([4, 5]);
  });

  test("are read in pages, which are never empty", async () => {
    commit(1, ...records(1, 2500));
    const pages: number[][] = [];
    for await (const page of history.pages(1, 100)) pages.push(sequences(page));
    expect(pages.map((page) => [page[0], page.length])).toEqual([
      [101, 1000],
      [1101, 1000],
      [2101, 400],
    ]);
  });

  test("are read in slices, so that others are served in between", async () => {
    commit(1, ...records(1, 2500));
    let isServed = false;
    setImmediate(() => {
      isServed = true;
    });
    for await (const _ of history.pages(1, 0)) {
      const longerThanASlice = performance.now() + 6;
      while (performance.now() < longerThanASlice);
    }
    expect(isServed).toBe(true);
  });

  test("include those that are stored while they are read", () => {
    commit(1, record(1));
    const reading = history.records(1, 0);
    reading.next();
    commit(1, record(2));
    expect(sequences([...reading])).toEqual([2]);
  });
});

describe("a page of all sessions", () => {
  test("is in the order of the commits", () => {
    commit(1, ...records(1, 2));
    commit(2, record(1));
    commit(1, record(3));
    expect(history.globalPage(start).records.map(frameId)).toEqual(["1.1", "1.2", "2.1", "3.3"]);
  });

  test.each<[GlobalCursor, string[]]>([
    [{ position: 1, sequence: 1 }, ["1.2", "1.3", "2.1", "2.2"]],
    [{ position: 1, sequence: 3 }, ["2.1", "2.2"]],
    [{ position: 2, sequence: 1 }, ["2.2"]],
    [{ position: 2, sequence: 2 }, []],
    [{ position: 1, sequence: Number.MAX_SAFE_INTEGER }, ["2.1", "2.2"]],
  ])("goes on exactly after %j", (cursor, expected) => {
    commit(1, ...records(1, 3));
    commit(2, ...records(1, 2));
    expect(history.globalPage(cursor).records.map(frameId)).toEqual(expected);
  });

  test("keeps the cursor when there is nothing more", () => {
    commit(1, ...records(1, 3));
    const { next } = history.globalPage(start);
    expect(history.globalPage(next)).toEqual({ records: [], next });
  });

  test("is bounded by count, whatever the number of commits", () => {
    for (let session = 1; session <= 5; session++) commit(session, ...records(1, 600));
    expect(history.globalPage(start).records).toHaveLength(1000);
  });

  test("is bounded by size, whatever the number of commits", () => {
    for (let session = 1; session <= 5; session++) commit(session, record(1, 200_000));
    expect(history.globalPage(start).records.map(frameId)).toEqual(["1.1", "2.1"]);
  });

  test("counts native messages too", () => {
    const withRaw = (sequence: number, length: number) => ({ sequence, text: "", raw: "x".repeat(length) });
    commit(1, withRaw(1, 256 * 1024 - 1), withRaw(2, 1), record(3));
    commit(2, record(1));
    expect(history.globalPage(start).records.map(frameId)).toEqual(["1.1", "1.2"]);
  });

  test("is bounded by size inside a commit", () => {
    commit(1, record(1), record(2, tenMegabytes), record(3));
    expect(history.globalPage(start).records.map(frameId)).toEqual(["1.1", "1.2"]);
  });

  test("continues with the rest of a commit with too many events", () => {
    commit(1, ...records(1, 2300));
    commit(2, record(1));
    expect(readOn(start)).toEqual([...records(1, 2300).map(({ sequence }) => `1.${sequence}`), "2.1"]);
  });

  test("continues with the rest of a commit that was too large", () => {
    commit(1, record(1), record(2, tenMegabytes), record(3), record(4, tenMegabytes), record(5));
    commit(2, record(1));
    expect(readOn(start)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"]);
  });

  test("continues with the rest of a commit with a large native message", () => {
    commit(1, { ...record(1), raw: JSON.stringify("x".repeat(tenMegabytes)) }, record(2), record(3));
    commit(2, record(1));
    expect(readOn(start)).toEqual(["1.1", "1.2", "1.3", "2.1"]);
  });

  test("is full with 256 K characters", () => {
    const sized = (sequence: number, length: number) => ({ sequence, text: "x".repeat(length), raw: null });
    commit(1, sized(1, 256 * 1024 - 1), sized(2, 1), record(3));
    expect(history.globalPage(start).records.map(frameId)).toEqual(["1.1", "1.2"]);
  });

  test("continues after commits whose events are deleted", () => {
    commit(1, ...records(1, 2));
    commit(1, ...records(3, 4));
    commit(2, record(1));
    table.deleteEventsBefore(1, 4);
    expect(readOn(start)).toEqual(["2.4", "3.1"]);
    table.deleteEventsBefore(1, 5);
    expect(readOn(start)).toEqual(["3.1"]);
    table.deleteEventsBefore(2, 2);
    expect(history.globalPage(start)).toEqual({ records: [], next: { position: 3, sequence: 1 } });
  });

  test("has a recent commit in order between more commits than fit into a page", () => {
    for (let sequence = 1; sequence <= 999; sequence++) commit(1, record(sequence));
    storeRecent(2, record(1));
    for (let sequence = 1000; sequence <= 1002; sequence++) commit(1, record(sequence));
    expect(readOn({ position: 1, sequence: 1 }).slice(997)).toEqual([
      "999.999",
      "1000.1",
      "1001.1000",
      "1002.1001",
      "1003.1002",
    ]);
  });

  test("has a recent commit after more commits than fit into a page", () => {
    for (let sequence = 1; sequence <= 1002; sequence++) commit(1, record(sequence));
    storeRecent(2, record(1));
    expect(readOn({ position: 1, sequence: 1 }).slice(998)).toEqual(["1000.1000", "1001.1001", "1002.1002", "1003.1"]);
  });

  test("never goes back before the commit of the cursor", () => {
    commit(1, ...records(1, 2));
    commit(1, ...records(3, 4));
    expect(readOn({ position: 2, sequence: 0 })).toEqual(["2.3", "2.4"]);
  });

  test("can have one session with large events among others", () => {
    for (let sequence = 1; sequence <= 5; sequence++) {
      commit(1, record(sequence, 300_000));
      commit(2, record(sequence));
    }
    expect(readOn(start)).toEqual(["1.1", "2.1", "3.2", "4.2", "5.3", "6.3", "7.4", "8.4", "9.5", "10.5"]);
  });
});
