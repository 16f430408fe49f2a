/** The transactions in which the log writes to the database. */
import type { Database } from "bun:sqlite";
import { storageProblem } from "./database.ts";
import type { LogRecord } from "./encode.ts";
import { type Commit, rowsOf } from "./event-rows.ts";

/** The part of a session that the log uses. */
export interface LogWriter {
  readonly number: number;
  /** Whether there is a newer state than the one that is stored. */
  readonly hasNewState: boolean;
  /** The state to store with the records, or null if none has to be. With `deferred`, also a state that can be deferred. */
  snapshot(deferred: boolean): Snapshot | null;
  snapshotStored(snapshot: Snapshot): void;
}

export interface Snapshot {
  state: string;
  updatedAt: number;
  /** Whether the state is unfinished. */
  open: boolean;
}

export type Transact = ReturnType<typeof transactionsOn>;

/** Runs work in a transaction. If that fails, nothing is written and a storage problem is thrown. */
export function transactionsOn(database: Database) {
  const begin = database.query("BEGIN IMMEDIATE");
  const commit = database.query("COMMIT");
  const rollback = database.query("ROLLBACK");
  const statements = {
    insertEvents: database.query("INSERT INTO events (id, event, raw) VALUES (?, ?, ?)"),
    insertCommit: database.query("INSERT INTO commits (position, session, first, last) VALUES (?, ?, ?, ?)"),
    saveState: database.query("UPDATE sessions SET state = ?, updated_at = ?, open = ? WHERE number = ?"),
  };

  return (work: (transaction: Transaction) => void): Transaction => {
    const transaction = new Transaction(statements);
    try {
      begin.run();
      work(transaction);
      commit.run();
    } catch (error) {
      // SQLite itself rolls back after some failures, such as a full disk.
      if (database.inTransaction) rollback.run();
      throw storageProblem(error);
    }
    for (const [writer, snapshot] of transaction.states) writer.snapshotStored(snapshot);
    return transaction;
  };
}

type Statements = Record<"insertEvents" | "insertCommit" | "saveState", ReturnType<Database["query"]>>;

const pageBytes = 4096;

export class Transaction {
  /** An estimate of the bytes it writes, in whole pages: one of `commits`, and at least one of events per session. */
  bytes = pageBytes;
  readonly states: [LogWriter, Snapshot][] = [];

  constructor(private readonly statements: Statements) {}

  /** Inserts consecutive records of one session and their commits. */
  insert(sessionNumber: number, commits: readonly Commit[], records: readonly LogRecord[]): void {
    const { insertEvents, insertCommit } = this.statements;
    this.bytes += pageBytes;
    for (const { position, first, last } of commits) insertCommit.run(position, sessionNumber, first, last);
    for (const { id, event, raw } of rowsOf(sessionNumber, records)) {
      insertEvents.run(id, event, raw);
      this.bytes += event.length + (raw?.length ?? 0);
    }
  }

  saveState(writer: LogWriter, deferred: boolean): void {
    const snapshot = writer.snapshot(deferred);
    if (!snapshot) return;
    this.statements.saveState.run(snapshot.state, snapshot.updatedAt, snapshot.open ? 1 : 0, writer.number);
    this.bytes += pageBytes;
    this.states.push([writer, snapshot]);
  }
}
