import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { drainBytes, WalDrain } from "./wal-drain.ts";

const mebibyte = 1024 * 1024;
const patience = { timeout: 20_000 };

/** A database that carries nothing over by itself, with some megabytes in its write-ahead log. */
function filled() {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-wal-"));
  const file = join(directory, "events.db");
  const database = openDatabase(file);
  const drain = new WalDrain(database);
  onTestFinished(() => {
    drain.close();
    database.close();
    rmSync(directory, { recursive: true });
  });
  database.run("PRAGMA wal_autocheckpoint = 0");
  write(database, 6);
  return { database, drain, size: () => statSync(file).size, logSize: () => statSync(`${file}-wal`).size };
}

function write(database: Database, mebibytes: number): void {
  const insert = database.query("INSERT INTO events (event) VALUES (?)");
  for (let left = mebibytes; left > 0; left--) insert.run("x".repeat(mebibyte));
}

test("what was written is carried over into the database", async () => {
  const { drain, size } = filled();
  expect(size()).toBeLessThan(mebibyte);

  drain.wrote(drainBytes);

  await expect.poll(size, patience).toBeGreaterThan(6 * mebibyte);
});

test("when no more comes, the log is cut", async () => {
  const { drain, logSize } = filled();
  drain.wrote(drainBytes);

  await expect.poll(logSize, patience).toBe(0);
});

test("as long as more comes, however little, it is not", async () => {
  const { drain, size, logSize } = filled();
  drain.wrote(drainBytes);
  await expect.poll(size, patience).toBeGreaterThan(6 * mebibyte);
  const longerThanARest = performance.now() + 3000;

  while (performance.now() < longerThanARest) {
    await Bun.sleep(50);
    drain.wrote(1);
  }

  expect(logSize()).toBeGreaterThan(mebibyte);
});

test("after a rest it begins anew", async () => {
  const { database, drain, size, logSize } = filled();
  drain.wrote(drainBytes);
  await expect.poll(logSize, patience).toBe(0);
  write(database, 6);

  drain.wrote(drainBytes);

  await expect.poll(size, patience).toBeGreaterThan(12 * mebibyte);
});
