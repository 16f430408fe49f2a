import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { SessionTable } from "./session-table.ts";
import { type LogWriter, type Transaction, transactionsOn } from "./transaction.ts";

function open() {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-transaction-"));
  const file = join(directory, "events.db");
  const database = openDatabase(file);
  onTestFinished(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });
  database.run("PRAGMA wal_autocheckpoint = 0");
  new SessionTable(database).insert({ number: 1, id: "s", spec: { agent: "mock" }, createdAt: 1 });
  return { transact: transactionsOn(database), logSize: () => statSync(`${file}-wal`).size };
}

const writer: LogWriter = {
  number: 1,
  hasNewState: true,
  snapshot: () => ({ state: '{"sequence":1}', updatedAt: 2, open: false }),
  snapshotStored: () => {},
};

function insert(transaction: Transaction, text: string, raw: string | null): void {
  const commit = { sessionNumber: 1, position: 1, first: 1, last: 1 };
  transaction.insert(1, [commit], [{ sequence: 1, text, raw }]);
}

/** Random text, so that compressing it saves little. */
const long = () => randomBytes(150_000).toString("base64");

test.each<[string, (transaction: Transaction) => void]>([
  ["a short event", (transaction) => insert(transaction, "{}", null)],
  ["a state", (transaction) => transaction.saveState(writer, false)],
  ["an event and a state", (transaction) => [insert(transaction, "{}", null), transaction.saveState(writer, false)]],
  ["a long event", (transaction) => insert(transaction, long(), null)],
  ["a long event with a long message of the agent", (transaction) => insert(transaction, long(), long())],
])("a transaction with %s reports about as many bytes as the write-ahead log grows by", (_, work) => {
  const { transact, logSize } = open();
  const before = logSize();
  const { bytes } = transact(work);
  const grown = logSize() - before;
  // The page of `commits` is always counted.
  expect(bytes).toBeLessThan(1.1 * grown + 4096);
  expect(bytes).toBeGreaterThan(0.9 * grown);
});
