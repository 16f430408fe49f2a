/**
 * The write path: records are gathered for a tick, or a few of them while it pours, stored in one transaction, and only
 * then handed to readers. So an event that anybody has seen is in the log.
 */
import type { Database, Statement } from "bun:sqlite";
import { ProblemError } from "@sandbox-agent/schema";
import { storageProblem } from "./database.ts";
import type { LogRecord } from "./encode.ts";
import { rowsOf } from "./event-rows.ts";
import { type CommittedBatch, committedBatch, Feed, sequenceRange } from "./feed.ts";
import { WalDrain } from "./wal-drain.ts";

/** A session as the log sees it. */
export interface LogWriter {
  readonly number: number;
  /** The state to store with the records, or null while it need not be stored. With `late`, also one that could wait. */
  snapshot(late: boolean): Snapshot | null;
  /** Called when that snapshot is stored. True when there is a newer state that could wait. */
  snapshotStored(): boolean;
}

export interface Snapshot {
  state: string;
  updatedAt: number;
  /** Whether a restart would find something unfinished. */
  open: boolean;
}

interface Pending {
  writer: LogWriter;
  records: LogRecord[];
}

const retryMs = 250;
/** States that can wait are stored after so long, those of all sessions together. */
const lateMs = 1000;
/** More than this in a tick is a flood: the next tick brings more of it, and few large commits cost less than many. */
const floodCharacters = 4 * 1024;
/** What a commit gathers at most before it is made. */
const commitCharacters = 128 * 1024;
/** With more than this to be stored, agents wait. */
const roomCharacters = 256 * 1024;
/** A commit writes whole pages: for each session at least one of its events and one of `commits`. */
const batchBytes = 2 * 4096;

export class EventLog {
  readonly feed = new Feed();
  #pending = new Map<number, Pending>();
  #pendingCharacters = 0;
  #settled: PromiseWithResolvers<void> | null = null;
  #retry: Timer | null = null;
  /** Sessions whose state waits to be stored. */
  readonly #late = new Map<number, LogWriter>();
  #lateTimer: Timer | null = null;
  #closed = false;
  #position: number;
  #newest: CommittedBatch | null = null;
  readonly #drain: WalDrain;
  readonly #write: Write;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;

  constructor(private readonly database: Database) {
    this.#begin = database.query("BEGIN IMMEDIATE");
    this.#commit = database.query("COMMIT");
    this.#rollback = database.query("ROLLBACK");
    this.#position = lastPosition(database);
    this.#drain = new WalDrain(database);
    this.#write = prepareWrite(database, () => this.#position);
  }

  /** Position of the newest commit: where a reader of all sessions begins to be live. */
  get position(): number {
    return this.#position;
  }

  /**
   * The records of a session after a sequence, where they are those of the newest commit or there are none. Null when only
   * the database knows. Whoever asks for what was just written, as the stream of a new turn, need not read it back.
   */
  newestAfter(sessionNumber: number, after: number): readonly LogRecord[] | null {
    const newest = this.#newest;
    if (newest?.sessionNumber !== sessionNumber) return null;
    if (after === newest.last) return [];
    return after === newest.first - 1 ? newest.records : null;
  }

  /** Adds records to the coming commit. Resolves when they are stored, however long the disk refuses. */
  append(writer: LogWriter, records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    const pending = this.#pending.get(writer.number);
    if (pending) pending.records.push(...records);
    else this.#pending.set(writer.number, { writer, records: [...records] });
    this.#pendingCharacters += charactersIn(records);
    return this.#schedule();
  }

  /** Whether little enough waits to be stored that an agent may say more. */
  get hasRoom(): boolean {
    return this.#pendingCharacters < roomCharacters;
  }

  /** Records of a session that are not stored yet. */
  pendingRecords(sessionNumber: number): readonly LogRecord[] {
    return this.#pending.get(sessionNumber)?.records ?? [];
  }

  /** Stores everything gathered so far, now. Throws the storage problem when it cannot; what was gathered is kept. */
  flush(): void {
    if (this.#settled) this.#flush([]);
  }

  /** The same for those who only read: what cannot be stored now is not in the log yet, and will be. */
  tryFlush(): void {
    unlessRefused(() => this.flush());
  }

  /** The same, and with it the states that could wait. */
  tryFlushAll(): void {
    unlessRefused(() => this.#flush([...this.#late.values()]));
  }

  /** The session's state is to be stored when there is time. */
  storeLater(writer: LogWriter): void {
    this.#late.set(writer.number, writer);
    this.#lateTimer ??= setTimeout(() => this.#flushLate(), lateMs).unref();
  }

  /**
   * Stores these records at once, with whatever else `alongside` writes, or throws and stores nothing. For commands of
   * clients: they are either done when answered, or did not happen.
   */
  commit(writer: LogWriter, records: LogRecord[], alongside?: () => void): void {
    this.flush();
    const batches = [{ writer, records }];
    const bytes = this.#transact(() => {
      alongside?.();
      return this.#write(batches, []);
    });
    this.#publish(batches, bytes);
  }

  /** Forgets what is gathered for a session that is being deleted. */
  discard(sessionNumber: number): void {
    this.#pending.delete(sessionNumber);
    this.#late.delete(sessionNumber);
  }

  close(): void {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#lateTimer) clearTimeout(this.#lateTimer);
    this.#drain.close();
    this.database.close();
  }

  #flush(late: readonly LogWriter[]): void {
    const batches = [...this.#pending.values()];
    const bytes = batches.length + late.length > 0 ? this.#transact(() => this.#write(batches, late)) : 0;
    for (const writer of late) {
      writer.snapshotStored();
      this.#late.delete(writer.number);
    }
    this.#pending.clear();
    this.#pendingCharacters = 0;
    // Whatever a listener appends belongs to the next flush, so this one is settled first.
    this.#settled?.resolve();
    this.#settled = null;
    this.#publish(batches, bytes);
  }

  #schedule(): Promise<void> {
    if (this.#settled) return this.#settled.promise;
    this.#settled = Promise.withResolvers();
    setImmediate(() => this.#flushInTime(0));
    return this.#settled.promise;
  }

  #flushInTime(before: number): void {
    const characters = this.#pendingCharacters;
    const isPouring = characters - before > floodCharacters && characters < commitCharacters;
    if (isPouring) setImmediate(() => this.#flushInTime(characters));
    else this.#flushOrRetry();
  }

  /** Agents cannot be told to say it again, so their events wait for the disk. */
  #flushOrRetry(): void {
    if (this.#closed) return;
    this.#retry = null;
    try {
      this.flush();
    } catch {
      this.#retry ??= setTimeout(() => this.#flushOrRetry(), retryMs);
    }
  }

  #flushLate(): void {
    this.#lateTimer = null;
    this.tryFlushAll();
    // What the disk refused is tried again.
    for (const writer of this.#late.values()) this.storeLater(writer);
  }

  #transact<Result>(work: () => Result): Result {
    try {
      this.#begin.run();
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      // SQLite ends the transaction itself on some failures, a full disk among them.
      if (this.database.inTransaction) this.#rollback.run();
      throw storageProblem(error);
    }
  }

  #publish(batches: readonly Pending[], bytes: number): void {
    const before = this.#position;
    this.#position += batches.length;
    for (const { writer } of batches) if (writer.snapshotStored()) this.storeLater(writer);
    const committed = batches.map(({ writer, records }, index) =>
      committedBatch(writer.number, before + index + 1, records),
    );
    this.#newest = committed.at(-1) ?? this.#newest;
    this.#drain.wrote(bytes);
    for (const batch of committed) this.feed.publish(batch);
  }
}

/** Writes batches, and states that come late; tells, about, how many bytes that were. */
type Write = (batches: readonly Pending[], late: readonly LogWriter[]) => number;

function prepareWrite(database: Database, position: () => number): Write {
  const insertEvent = database.query("INSERT INTO events (id, event, raw) VALUES (?, ?, ?)");
  const insertCommit = database.query("INSERT INTO commits (position, session, first, last) VALUES (?, ?, ?, ?)");
  const saveState = database.query("UPDATE sessions SET state = ?, updated_at = ?, open = ? WHERE number = ?");

  function save(writer: LogWriter, isLate: boolean): void {
    const snapshot = writer.snapshot(isLate);
    if (snapshot) saveState.run(snapshot.state, snapshot.updatedAt, snapshot.open ? 1 : 0, writer.number);
  }

  return (batches, late) => {
    let next = position();
    let bytes = 0;
    for (const { writer, records } of batches) {
      next += 1;
      bytes += batchBytes;
      for (const { id, event, raw } of rowsOf(writer.number, records)) {
        insertEvent.run(id, event, raw);
        bytes += event.length + (raw?.length ?? 0);
      }
      insertCommit.run(next, writer.number, ...sequenceRange(records));
      save(writer, false);
    }
    for (const writer of late) save(writer, true);
    return bytes + late.length * batchBytes;
  };
}

function unlessRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}

function charactersIn(records: readonly LogRecord[]): number {
  let characters = 0;
  for (const { text, raw } of records) characters += text.length + (raw?.length ?? 0);
  return characters;
}

function lastPosition(database: Database): number {
  const row = database.query<{ position: number | null }, []>("SELECT max(position) AS position FROM commits").get();
  return row?.position ?? 0;
}
