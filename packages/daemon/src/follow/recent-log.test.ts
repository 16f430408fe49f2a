import { describe, expect, test } from "vitest";
import { follow } from "./follow.ts";
import { type RecentEntry, RecentLog } from "./recent-log.ts";

const big = "x".repeat(1024 * 1024);
const ids = (entries: readonly RecentEntry[]) => entries.map(({ id }) => id);

function filled(texts: Iterable<string>, maxEntries?: number): RecentLog {
  const log = new RecentLog(maxEntries);
  for (const text of texts) log.push(text);
  return log;
}

/** Reads into a sink that is full after each write until it is drained. */
function stalledReader(log: RecentLog) {
  const drains: (() => void)[] = [];
  const written: number[] = [];
  const sink = {
    write(read: number[]) {
      written.push(...read);
      return new Promise<void>((resolve) => drains.push(resolve));
    },
    end: () => {},
  };
  const { stop } = follow(log.source(ids), 0, sink);
  return { written, stop, drain: () => drains.shift()?.() };
}

describe("the newest entries", () => {
  test("are numbered from 1 and read from any of them on", () => {
    const source = filled(["{}", "[]", "1"]).source((entries) => entries.map(({ id, text }) => `${id} ${text}`));
    expect(source.page(1)).toEqual({ data: ["2 []", "3 1"], next: 3 });
    expect(source.page(3)).toBeNull();
  });

  test("come in pages of limited size", () => {
    const source = filled([big, "a", "b", big]).source(ids);
    expect(source.page(0)?.data).toEqual([1, 2, 3]);
    expect(source.page(3)?.data).toEqual([4]);
  });

  test("are kept up to a size, and a reader continues with the oldest one left", () => {
    const source = filled(Array(33).fill(big)).source(ids);
    expect(source.page(0)?.data).toEqual([10]);
    expect(source.page(32)?.data).toEqual([33]);
  });

  test("fill a page up to 256 K characters after its first one", () => {
    const first = "x".repeat(1000);
    const almost = "x".repeat(256 * 1024 - 1);
    expect(filled([first, almost, "a"]).source(ids).page(0)?.data).toEqual([1, 2]);
    expect(
      filled([first, `${almost}x`])
        .source(ids)
        .page(0)?.data,
    ).toEqual([1]);
  });

  test("are dropped by size only when there are more than 32 M characters", () => {
    const log = filled(Array(32).fill(big));
    expect(log.source(ids).page(0)?.data).toEqual([1]);
    log.push("x");
    // 24 M characters are left, those that were just appended among them.
    expect(log.source(ids).page(0)?.data).toEqual([9]);
  });

  test("that were dropped do not count any more", () => {
    const log = filled(Array(33).fill(big));
    for (let count = 0; count < 8; count++) log.push(big);
    expect(log.source(ids).page(0)?.data).toEqual([10]);
    log.push(big);
    expect(log.source(ids).page(0)?.data).toEqual([19]);
  });

  test("end when the log has ended", async () => {
    const log = filled(["a"]);
    void log.end();
    const source = log.source(ids);
    expect(source.page(0)).toEqual({ data: [1], next: 1 });
    expect(source.page(1)).toEqual({ data: null, next: 1, last: true });
  });

  test("are kept up to a number", () => {
    expect(filled(Array(12).fill("x"), 12).source(ids).page(0)?.data).toHaveLength(12);
    expect(filled(Array(13).fill("x"), 12).source(ids).page(0)?.data).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test("always include the newest, however large", () => {
    expect(
      filled(["{}", big.repeat(40)])
        .source(ids)
        .page(0)?.data,
    ).toEqual([2]);
  });

  test("can end without a reader", async () => {
    const log = filled(["a", "b"]);
    expect([log.last, log.readers]).toEqual([2, 0]);
    await log.end();
    log.push("too late");
    expect(log.last).toBe(2);
  });

  test("are finished when the last reader has read them", async () => {
    const log = filled(["a"]);
    const [slow, gone] = [stalledReader(log), stalledReader(log)];
    const steps: string[] = [];
    await Promise.resolve();
    const left = log.end().then(() => steps.push("left"));
    gone.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual([]);
    slow.drain();
    await left;
    expect([slow.written, log.readers]).toEqual([[1], 0]);
  });

  test("reach every reader, and then the end", async () => {
    const log = new RecentLog();
    const ended: Promise<number[]>[] = [1, 2].map(
      () =>
        new Promise((resolve) => {
          const read: number[] = [];
          follow(log.source(ids), 0, {
            write(entries) {
              read.push(...entries);
              return null;
            },
            end: () => resolve(read),
          });
        }),
    );
    log.push("a");
    log.push("b");
    const left = log.end();
    log.push("too late");
    expect(await Promise.all(ended)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    await left;
    expect(log.readers).toBe(0);
  });
});

describe("a writer", () => {
  test("does not wait without readers", () => {
    expect(filled(Array(40).fill(big)).backPressure()).toBeNull();
  });

  test("waits for a reader that is far behind until that one has read", async () => {
    const log = filled(Array(8).fill(big));
    const reader = stalledReader(log);
    let waited = log.backPressure();
    expect(waited).not.toBeNull();
    void waited?.then(() => (waited = null));
    while (waited) {
      reader.drain();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reader.written.length).toBeGreaterThanOrEqual(6);
    expect(reader.written.length).toBeLessThan(8);
    expect(log.backPressure()).toBeNull();
  });

  test("has up to 4 M characters ahead of its reader, and waits until half of that is left", async () => {
    const log = filled(Array(4).fill(big));
    const reader = stalledReader(log);
    expect(log.backPressure()).toBeNull();
    log.push("x");
    let isWaiting = true;
    void log.backPressure()?.then(() => (isWaiting = false));
    const read: number[] = [];
    for (let count = 0; isWaiting; count++) {
      expect(count).toBeLessThan(100);
      read.push(reader.written.length);
      reader.drain();
      await new Promise((resolve) => setImmediate(resolve));
    }
    // After two entries, 2 M characters and one more are unread.
    expect(reader.written.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(Math.max(...read)).toBe(3);
  });

  test("waits for the fastest reader alone", async () => {
    const log = filled(Array(8).fill(big));
    stalledReader(log);
    expect(log.backPressure()).not.toBeNull();
    const waited = log.backPressure();
    follow(log.source(ids), 0, { write: () => null, end: () => {} });
    await waited;
    expect(log.backPressure()).toBeNull();
  });

  test("stops waiting when the readers have left", async () => {
    const log = filled(Array(8).fill(big));
    const reader = stalledReader(log);
    const waited = log.backPressure();
    reader.stop();
    await waited;
  });
});
