import type { Database } from "bun:sqlite";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { type Batch, eventId, rowOf } from "./event-rows.ts";
import { hasRecent, Recent } from "./recent.ts";

let database: Database;

beforeEach(() => {
  database = openDatabase(":memory:");
  onTestFinished(() => database.close());
});

function batch(sessionNumber: number, position: number, first: number, last = first, size = 0): Batch {
  const records = Array.from({ length: last - first + 1 }, (_, index) => ({
    sequence: first + index,
    text: "x".repeat(size),
    raw: null,
  }));
  return { sessionNumber, position, first, last, records };
}

function store(recent: Recent, ...batches: Batch[]): void {
  recent.insert(batches);
  recent.add(batches);
}

const positions = () =>
  database
    .query<{ position: number }, []>("SELECT position FROM recent ORDER BY position")
    .all()
    .map(({ position }) => position);

/** A session whose stored state includes this many events. */
function session(number: number, sequence: number): void {
  database
    .query("INSERT INTO sessions VALUES (?, ?, '{}', ?, 1, 0, 0, 0)")
    .run(number, `s${number}`, JSON.stringify({ sequence }));
}

const sequencesOf = (recent: Recent, number: number) => recent.recordsOf(number).map(({ sequence }) => sequence);

describe("recent events", () => {
  test("are those of each session, in order, until they are removed", () => {
    const recent = new Recent(database);
    expect([recent.isEmpty, recent.recordsOf(1), recent.commitsOf(1)]).toEqual([true, [], []]);
    store(recent, batch(1, 1, 1, 2), batch(2, 2, 5), batch(1, 3, 3));
    expect([sequencesOf(recent, 1), sequencesOf(recent, 2)]).toEqual([[1, 2, 3], [5]]);
    expect(recent.commitsOf(1)).toEqual([
      { sessionNumber: 1, position: 1, first: 1, last: 2 },
      { sessionNumber: 1, position: 3, first: 3, last: 3 },
    ]);
    expect([recent.sessionNumbers, recent.isEmpty]).toEqual([[1, 2], false]);
    recent.remove(1);
    recent.remove(9);
    expect([sequencesOf(recent, 1), recent.sessionNumbers]).toEqual([[], [2]]);
  });

  test("have their commits in the order of positions, from a given one on", () => {
    const recent = new Recent(database);
    store(recent, batch(1, 1, 1), batch(2, 2, 1), batch(1, 3, 2), batch(2, 4, 2));
    expect(recent.commitsFrom(2).map(({ position }) => position)).toEqual([2, 3, 4]);
    expect(recent.commitsFrom(5)).toEqual([]);
  });

  test("are full with more than a million characters, until some are removed", () => {
    const recent = new Recent(database);
    recent.add([batch(1, 1, 1, 1, 1024 * 1024 - 1), batch(2, 2, 1, 1, 1)]);
    expect(recent.isFull).toBe(false);
    recent.add([batch(2, 3, 2, 2, 1)]);
    expect(recent.isFull).toBe(true);
    recent.remove(9);
    expect(recent.isFull).toBe(true);
    recent.remove(2);
    expect(recent.isFull).toBe(false);
    recent.add([batch(1, 4, 2, 2, 2)]);
    expect(recent.isFull).toBe(true);
  });

  test("keep the rows from the first one that is still needed", () => {
    const recent = new Recent(database);
    expect(hasRecent(database)).toBe(false);
    store(recent, batch(1, 1, 1), batch(2, 2, 1), batch(1, 3, 2), batch(3, 4, 1));
    recent.remove(1);
    recent.prune();
    expect(positions()).toEqual([2, 3, 4]);
    recent.remove(2);
    recent.prune();
    expect(positions()).toEqual([4]);
    expect(hasRecent(database)).toBe(true);
    recent.remove(3);
    recent.prune();
    expect([positions(), hasRecent(database)]).toEqual([[], false]);
  });
});

describe("after a crash, recent events", () => {
  test("are read if they follow the stored events", () => {
    session(1, 4);
    session(2, 0);
    session(3, 7);
    new Recent(database).insert([batch(1, 1, 5, 6), batch(1, 2, 7), batch(2, 3, 1), batch(3, 4, 7), batch(3, 5, 8)]);
    const recent = new Recent(database);
    expect([1, 2, 3].map((number) => sequencesOf(recent, number))).toEqual([[5, 6, 7], [1], [8]]);
    expect(recent.commitsFrom(0).map(({ position, first, last }) => [position, first, last])).toEqual([
      [1, 5, 6],
      [2, 7, 7],
      [3, 1, 1],
      [5, 8, 8],
    ]);
  });

  test("are skipped where `events` has them, the session is deleted, or those before are lost", () => {
    session(1, 0);
    session(3, 0);
    const { id, event, raw } = rowOf(eventId(1, 2), batch(1, 1, 1, 2).records);
    database.query("INSERT INTO events (id, event, raw) VALUES (?, ?, ?)").run(id, event, raw);
    new Recent(database).insert([batch(1, 1, 1, 2), batch(1, 2, 3), batch(2, 3, 1), batch(3, 4, 2)]);
    const recent = new Recent(database);
    expect([1, 2, 3].map((number) => sequencesOf(recent, number))).toEqual([[3], [], []]);
  });

  test("are compared with the events of their own session only", () => {
    for (const [number, last] of [
      [1, 1],
      [2, 5],
    ] as const) {
      session(number, 0);
      const { id, event, raw } = rowOf(eventId(number, last), batch(number, number, 1, last).records);
      database.query("INSERT INTO events (id, event, raw) VALUES (?, ?, ?)").run(id, event, raw);
    }
    new Recent(database).insert([batch(1, 3, 1), batch(1, 4, 2), batch(2, 5, 6)]);
    const recent = new Recent(database);
    expect([1, 2].map((number) => sequencesOf(recent, number))).toEqual([[2], [6]]);
  });
});
