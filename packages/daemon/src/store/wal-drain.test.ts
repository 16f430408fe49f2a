import type { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { drainBytes, WalDrain } from "./wal-drain.ts";
import type { DrainRequest } from "./wal-drain-worker.ts";

const mebibyte = 1024 * 1024;
const limit = { timeout: 20_000 };

function freshPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-wal-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, "events.db");
}

/** A database without automatic checkpoints, with some megabytes in its write-ahead log. */
function filled() {
  const file = freshPath();
  const database = openDatabase(file);
  const drain = new WalDrain(database);
  onTestFinished(() => {
    drain.close();
    database.close();
  });
  database.run("PRAGMA wal_autocheckpoint = 0");
  write(database, 6);
  return { database, drain, size: () => statSync(file).size, logSize: () => statSync(`${file}-wal`).size };
}

function write(database: Database, mebibytes: number): void {
  const insert = database.query("INSERT INTO events (event) VALUES (?)");
  for (let left = mebibytes; left > 0; left--) insert.run("x".repeat(mebibyte));
}

/** Records the threads started until the end of the test, their requests, and how many of them have ended. */
function observeThreads() {
  const seen = { threads: [] as Worker[], requests: [] as string[], replies: 0, ended: 0 };
  const original = globalThis.Worker;
  globalThis.Worker = new Proxy(original, {
    construct(target, args: ConstructorParameters<typeof Worker>) {
      const thread = new target(...args);
      thread.addEventListener("message", () => seen.replies++);
      thread.addEventListener("close", () => seen.ended++);
      const post = thread.postMessage.bind(thread);
      thread.postMessage = (request: DrainRequest) => {
        seen.requests.push(request.mode);
        post(request);
      };
      seen.threads.push(thread);
      return thread;
    },
  });
  onTestFinished(() => {
    globalThis.Worker = original;
  });
  return seen;
}

test("the write-ahead log is checkpointed into the database", async () => {
  const { drain, size } = filled();
  expect(size()).toBeLessThan(mebibyte);

  drain.onWrite(drainBytes);

  await expect.poll(size, limit).toBeGreaterThan(6 * mebibyte);
});

test("without further writes, the log is truncated and the thread ends", async () => {
  const seen = observeThreads();
  const { drain, logSize } = filled();
  drain.onWrite(drainBytes);

  await expect.poll(logSize, limit).toBe(0);
  await expect.poll(() => seen.ended, limit).toBe(1);
});

test("as long as anything is written, the thread stays", async () => {
  const { drain, size, logSize } = filled();
  drain.onWrite(drainBytes);
  await expect.poll(size, limit).toBeGreaterThan(6 * mebibyte);
  const longerThanARest = performance.now() + 3000;

  while (performance.now() < longerThanARest) {
    await Bun.sleep(50);
    drain.onWrite(1);
  }

  expect(logSize()).toBeGreaterThan(mebibyte);
});

test("after an idle time it starts again", async () => {
  const { database, drain, size, logSize } = filled();
  drain.onWrite(drainBytes);
  await expect.poll(logSize, limit).toBe(0);
  write(database, 6);

  drain.onWrite(drainBytes);

  await expect.poll(size, limit).toBeGreaterThan(12 * mebibyte);
});

test("less than 2 MiB is left in the log, each time", async () => {
  const seen = observeThreads();
  const { drain } = filled();
  for (const request of [1, 2]) {
    drain.onWrite(drainBytes - 1);
    expect(seen.requests).toHaveLength(request - 1);
    drain.onWrite(1);
    expect(seen.requests).toHaveLength(request);
    await expect.poll(() => seen.replies, limit).toBe(request);
  }
});

test("the thread has one request at a time; what was written in the meantime leads to the next one", async () => {
  const seen = observeThreads();
  const { drain } = filled();
  for (let times = 3; times > 0; times--) drain.onWrite(drainBytes);
  expect(seen.requests).toEqual(["PASSIVE"]);

  await expect.poll(() => seen.replies, limit).toBe(1);
  drain.onWrite(1);

  expect([seen.requests, seen.threads.length]).toEqual([["PASSIVE", "PASSIVE"], 1]);
});

test("after a failure of the thread, the next request starts another", async () => {
  const seen = observeThreads();
  const { drain, size } = filled();
  drain.onWrite(drainBytes);
  seen.threads[0]?.dispatchEvent(new ErrorEvent("error", { message: "it could not be started" }));

  drain.onWrite(drainBytes);

  expect(seen.threads).toHaveLength(2);
  await expect.poll(() => seen.ended, limit).toBe(1);
  await expect.poll(size, limit).toBeGreaterThan(6 * mebibyte);
});

test("after it is closed, the thread ends and none is started", async () => {
  const seen = observeThreads();
  const [closed, other] = [filled(), filled()];
  closed.drain.onWrite(drainBytes);
  await expect.poll(() => seen.replies, limit).toBe(1);
  closed.drain.close();
  await expect.poll(() => seen.ended, limit).toBe(1);

  // The idle time of the other one begins later.
  other.drain.onWrite(drainBytes);
  await expect.poll(other.logSize, limit).toBe(0);

  expect([seen.threads.length, seen.requests]).toEqual([2, ["PASSIVE", "PASSIVE", "TRUNCATE"]]);
});

test("a database in memory needs no thread", () => {
  const seen = observeThreads();
  using database = openDatabase(":memory:");
  new WalDrain(database).onWrite(drainBytes);
  expect(seen.threads).toEqual([]);
});

test("it does not keep the process alive", () => {
  const [opening, draining] = ["database.ts", "wal-drain.ts"].map((file) => join(import.meta.dirname, file));
  const script = `
    import { openDatabase } from ${JSON.stringify(opening)};
    import { drainBytes, WalDrain } from ${JSON.stringify(draining)};
    const drain = new WalDrain(openDatabase(${JSON.stringify(freshPath())}));
    drain.onWrite(drainBytes);
    setInterval(() => drain.onWrite(1), 50).unref();`;
  expect(Bun.spawnSync([process.execPath, "-e", script], { timeout: 15_000 }).exitCode).toBe(0);
});

test("a deleted database is not created again", async () => {
  const file = freshPath();
  const thread = new Worker(new URL("./wal-drain-worker.ts", import.meta.url));
  const reply = new Promise((resolve) => thread.addEventListener("message", ({ data }) => resolve(data)));
  thread.postMessage({ file, mode: "TRUNCATE" });
  expect(await reply).toEqual({ file, mode: "TRUNCATE" });
  thread.terminate();
  expect(existsSync(file)).toBe(false);
});
