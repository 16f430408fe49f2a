import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { follow } from "../follow/follow.ts";
import { type LogEntry, OutputLog, pages } from "./output-log.ts";
import { outputSource } from "./output-source.ts";

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "output-log-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const text = (entries: readonly LogEntry[]) => entries.map(({ data }) => Buffer.from(data).toString()).join("");
const all = (log: OutputLog, after = 0) => [...pages(log, after)].flat();

describe("an output log", () => {
  test("gives back what was written, in order, with kind and time", () => {
    const log = new OutputLog(directory(), 1_000_000);
    log.append("stdout", Buffer.from("one"));
    log.append("stderr", Buffer.from("two"));
    const now = Date.now();
    expect(all(log).map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, "stdout"],
      [2, "stderr"],
    ]);
    expect(text(all(log))).toBe("onetwo");
    expect(text(all(log, 1))).toBe("two");
    expect(all(log, 2)).toEqual([]);
    expect(Math.abs(now - (all(log)[0]?.timestampMs ?? 0))).toBeLessThan(10_000);
  });

  test("never takes more than its limit, and keeps the newest", () => {
    const path = directory();
    const limit = 128 * 1024;
    const log = new OutputLog(path, limit);
    for (let index = 0; index < 100; index++) log.append("stdout", Buffer.alloc(10_000, `${index % 10}`));
    const used = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
    expect(used).toBeLessThanOrEqual(limit);
    expect(used).toBeGreaterThan(limit / 2);
    expect(all(log).at(-1)?.sequence).toBe(log.last);
    expect(all(log)[0]?.sequence).toBeGreaterThan(1);
    expect(log.bytesAfter(log.last)).toBe(0);
    expect(log.bytesAfter(log.last - 1)).toBe(10_009);
    expect(log.bytesAfter(0)).toBe(used);
  });

  test("limits its index when entries are tiny", () => {
    const log = new OutputLog(directory(), 10_000_000);
    for (let index = 0; index < 140_000; index++) log.append("stdout", Buffer.from("."));
    expect(all(log).length).toBeLessThanOrEqual(8 * 16_384);
    expect(all(log).at(-1)?.sequence).toBe(140_000);
  });

  test("goes on when storing fails: listeners have the output, later readers miss it", () => {
    const path = directory();
    const log = new OutputLog(join(path, "log"), 1_000_000);
    const failures: unknown[] = [];
    log.onFailure = (error) => failures.push(error);
    rmSync(join(path, "log"), { recursive: true });
    const received: string[] = [];
    log.subscribe({ append: (entry) => received.push(text([entry])), end: () => received.push("end") });
    log.append("stdout", Buffer.from("lost"));
    log.end();
    expect(received).toEqual(["lost", "end"]);
    expect(failures).toHaveLength(1);
    expect(all(log)).toEqual([]);
  });

  test("loses what cannot be read, and no more", () => {
    const path = directory();
    const log = new OutputLog(path, 8 * 4096);
    for (const letter of "abc") log.append("stdout", Buffer.alloc(4000, letter));
    rmSync(join(path, "2.log"));
    expect(all(log).map(({ sequence }) => sequence)).toEqual([1, 3]);
  });
});

describe("following a log", () => {
  test("waits for the reader, and loses nothing that is kept", async () => {
    const log = new OutputLog(directory(), 10_000_000);
    const written: number[] = [];
    let release: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      const source = outputSource(log, (entries) => entries.map(({ sequence }) => sequence));
      follow(source, 0, {
        write: (sequences) => {
          written.push(...sequences);
          return written.length === 1 ? new Promise<void>((go) => (release = go)) : null;
        },
        caughtUp: () => {
          if (log.last === 0) log.append("stdout", Buffer.alloc(1000));
        },
        end: resolve,
      });
    });
    await expect.poll(() => written).toEqual([1]);
    for (let index = 1; index < 1000; index++) log.append("stdout", Buffer.alloc(1000));
    log.end();
    await Promise.resolve();
    expect(written).toEqual([1]);
    release();
    await ended;
    expect(written).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  });
});
