import { describe, expect, test } from "vitest";
import type { LogRecord } from "./encode.ts";
import { type EventRow, eventId, recordsIn, rowsOf } from "./event-rows.ts";

function record(sequence: number, raw: string | null = null, size = 0): LogRecord {
  return { sequence, text: JSON.stringify({ sequence, data: `line\nbreak${"x".repeat(size)}` }), raw };
}

function records(first: number, last: number): LogRecord[] {
  return Array.from({ length: last - first + 1 }, (_, index) => record(first + index));
}

function read(rows: readonly EventRow[], after = 0): LogRecord[] {
  return rows.flatMap((row) => recordsIn(row, 7, after));
}

describe("records that are stored", () => {
  test("share a row and are read back unchanged", () => {
    const stored = [record(5, '{"a":1}'), record(6), record(7, '"b"')];
    const rows = rowsOf(7, stored);
    expect(rows).toHaveLength(1);
    expect(read(rows)).toEqual(stored);
  });

  test("without native messages have none in the row", () => {
    expect(rowsOf(7, records(1, 3))).toMatchObject([{ id: eventId(7, 3), raw: null }]);
  });

  test.each([
    ["very many", records(1, 600), [250, 500, 600]],
    ["large", [record(1, null, 70_000), record(2), record(3, "x".repeat(70_000)), record(4)], [1, 3, 4]],
  ])("that are %s make several rows", (_, stored, ends) => {
    const rows = rowsOf(7, stored);
    expect(rows.map(({ id }) => id - eventId(7, 0))).toEqual(ends);
    expect(read(rows)).toEqual(stored);
  });

  test("fill a row with 250 of them, or with 64 K characters", () => {
    const text = (characters: number): LogRecord => ({ sequence: 1, text: "x".repeat(characters), raw: null });
    const follower = { ...text(1), sequence: 2 };
    expect(rowsOf(7, records(1, 250))).toHaveLength(1);
    expect(rowsOf(7, records(1, 251))).toHaveLength(2);
    expect(rowsOf(7, [text(64 * 1024 - 1), follower])).toHaveLength(1);
    expect(rowsOf(7, [text(64 * 1024), follower])).toHaveLength(2);
    expect(rowsOf(7, [{ ...text(64 * 1024 - 1), raw: "1" }, follower])).toHaveLength(2);
    expect(rowsOf(7, [text(64 * 1024), text(64 * 1024 - 1), follower])).toHaveLength(2);
  });

  test("are compressed from 4 K characters on", () => {
    const [short, long] = [4095, 4096].map((length) =>
      rowsOf(7, [{ sequence: 1, text: "x".repeat(length), raw: null }]),
    );
    expect(typeof short?.[0]?.event).toBe("string");
    expect(long?.[0]?.event).toBeInstanceOf(Uint8Array);
  });

  test("and are similar take little space", () => {
    const stored = Array.from({ length: 200 }, (_, index) => record(index + 1, JSON.stringify("ä€😀".repeat(10)), 200));
    const [row, ...others] = rowsOf(7, stored);
    expect(others).toEqual([]);
    expect(row?.event.length).toBeLessThan(stored.map(({ text }) => text).join().length / 10);
    expect(row?.raw).toBeInstanceOf(Uint8Array);
    expect(read(row ? [row] : [])).toEqual(stored);
  });

  test("and are few are not compressed", () => {
    const few = [record(1, '{"a":1}'), record(2)];
    expect(rowsOf(7, few)).toMatchObject([{ event: few.map(({ text }) => text).join("\n"), raw: '{"a":1}\n' }]);
  });
});

describe("a row that is read", () => {
  test.each([
    [4, [5, 6, 7]],
    [5, [6, 7]],
    [7, []],
    [0, [5, 6, 7]],
  ])("after sequence %i gives %j", (after, expected) => {
    expect(read(rowsOf(7, records(5, 7)), after).map(({ sequence }) => sequence)).toEqual(expected);
  });

  test("of an older version contains one record", () => {
    const row = { id: eventId(7, 9), event: record(9).text, raw: '{"a":1}' };
    expect(read([row])).toEqual([record(9, '{"a":1}')]);
  });
});
