import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { LogRecord } from "./encode.ts";
import { type Batch, isTailLeft, Tail } from "./tail.ts";

let path: string;

beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-tail-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  path = join(directory, "events.tail");
});

function record(sequence: number, text = "x"): LogRecord {
  return {
    sequence,
    text: JSON.stringify({ sequence, text }),
    raw: sequence % 2 === 0 ? null : `{"raw":"ü${sequence}"}`,
  };
}

function batch(sessionNumber: number, position: number, first: number, last = first, text?: string): Batch {
  const records = Array.from({ length: last - first + 1 }, (_, index) => record(first + index, text));
  return { sessionNumber, position, first, last, records };
}

/** A tail whose sessions have nothing in the database yet. */
function open(lastStored: (sessionNumber: number) => number | null = () => 0): Tail {
  return new Tail(path, lastStored);
}

const sequences = (tail: Tail, sessionNumber: number) => tail.recordsOf(sessionNumber).map(({ sequence }) => sequence);
const positions = (tail: Tail, from = 0) => tail.commitsFrom(from).map(({ position }) => position);
const megabyte = "x".repeat(1024 * 1024);

describe("the tail", () => {
  test("has what was added, of each session and of all of them", () => {
    const tail = open();
    tail.add([batch(1, 1, 1, 2), batch(2, 2, 1)]);
    tail.add([batch(1, 3, 3)]);
    expect([sequences(tail, 1), sequences(tail, 2), sequences(tail, 3)]).toEqual([[1, 2, 3], [1], []]);
    expect(tail.commitsOf(1)).toEqual([
      { sessionNumber: 1, position: 1, first: 1, last: 2 },
      { sessionNumber: 1, position: 3, first: 3, last: 3 },
    ]);
    expect([positions(tail), positions(tail, 2)]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  test("forgets a session that was removed", () => {
    const tail = open();
    tail.add([batch(1, 1, 1), batch(2, 2, 1)]);
    tail.remove(1);
    expect([tail.sessionNumbers, positions(tail)]).toEqual([[2], [2]]);
  });

  test("without files has no room", () => {
    expect(new Tail(null, () => 0).hasRoom).toBe(false);
  });

  test("that is full goes on in its other file, as soon as that is free", () => {
    const tail = open();
    tail.add([batch(1, 1, 1, 1, megabyte)]);
    expect(tail.hasRoom).toBe(false);
    expect(tail.turnOver()).toEqual([1]);
    expect(tail.hasRoom).toBe(true);
    tail.add([batch(2, 2, 1, 1, megabyte)]);
    expect(tail.turnOver()).toEqual([1]);
    expect(tail.hasRoom).toBe(false);
    tail.remove(1);
    expect(tail.turnOver()).toEqual([2]);
    expect(tail.hasRoom).toBe(true);
  });

  test("does not grow while everything is taken over", () => {
    const tail = open();
    for (let position = 1; position <= 100; position++) {
      tail.add([batch(1, position, position)]);
      tail.remove(1);
    }
    expect(readFileSync(`${path}-a`).byteLength).toBeLessThan(200);
  });
});

describe("after a crash", () => {
  test("everything is there again, in both files", () => {
    const tail = open();
    const first = batch(1, 1, 1, 3);
    tail.add([first]);
    tail.turnOver();
    tail.add([batch(2, 2, 1), batch(1, 3, 4)]);
    const again = open();
    expect(again.recordsOf(1)).toEqual([...first.records, record(4)]);
    expect([positions(again), again.lastPosition, isTailLeft(path)]).toEqual([[1, 2, 3], 3, true]);
  });

  test("it is gone on with", () => {
    open().add([batch(1, 1, 1)]);
    open().add([batch(1, 2, 2)]);
    expect(sequences(open(), 1)).toEqual([1, 2]);
  });

  test("what the database has is left out, but its positions count", () => {
    const tail = open();
    tail.add([batch(1, 1, 1, 2), batch(2, 2, 1), batch(1, 3, 3)]);
    const again = open((sessionNumber) => (sessionNumber === 1 ? 3 : 0));
    expect([positions(again), again.lastPosition]).toEqual([[2], 3]);
  });

  test("what belongs to a deleted session is left out", () => {
    open().add([batch(1, 1, 1), batch(2, 2, 1)]);
    expect(open((sessionNumber) => (sessionNumber === 1 ? null : 0)).sessionNumbers).toEqual([2]);
  });

  test("what does not continue what the database has is left out", () => {
    open().add([batch(1, 1, 5), batch(2, 2, 1)]);
    expect(open(() => 0).sessionNumbers).toEqual([2]);
  });

  test("what was written over has no part in it", () => {
    const tail = open();
    tail.add([batch(1, 1, 1), batch(1, 2, 2), batch(1, 3, 3)]);
    tail.remove(1);
    tail.add([batch(1, 4, 4)]);
    const again = open(() => 3);
    expect([sequences(again, 1), again.lastPosition]).toEqual([[4], 4]);
  });

  test("a part of a frame is no frame", () => {
    open().add([batch(1, 1, 1), batch(1, 2, 2)]);
    const { byteLength } = readFileSync(`${path}-a`);
    truncateSync(`${path}-a`, byteLength - 3);
    const again = open();
    expect(sequences(again, 1)).toEqual([1]);
    again.add([batch(1, 2, 2)]);
    expect(sequences(open(), 1)).toEqual([1, 2]);
  });

  test("a frame that was changed is none, nor is what follows it", () => {
    open().add([batch(1, 1, 1), batch(2, 2, 1)]);
    const file = `${path}-a`;
    writeFileSync(file, readFileSync(file, "utf8").replace('"x"', '"y"'));
    expect(open().sessionNumbers).toEqual([]);
  });

  test("a file of something else is none of ours", () => {
    appendFileSync(`${path}-a`, "1 2 3\nnonsense\n");
    expect(open().sessionNumbers).toEqual([]);
  });

  test("nothing is left of one that ended in order", () => {
    const tail = open();
    tail.add([batch(1, 1, 1)]);
    tail.remove(1);
    tail.close();
    expect(isTailLeft(path)).toBe(false);
  });

  test("something is left of one that ended with something in it", () => {
    const tail = open();
    tail.add([batch(1, 1, 1)]);
    tail.close();
    expect(isTailLeft(path)).toBe(true);
    expect(sequences(open(), 1)).toEqual([1]);
  });
});
