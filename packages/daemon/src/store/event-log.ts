/**
 * The write path of events. Records are collected for one tick, or for a few ticks during a burst, and stored in one
 * transaction. They are published only after that, so every published event is stored. Small batches from agents go into the
 * table `recent` and are moved into `events` about a second later (compaction). Large batches and commands of clients go
 * into `events` directly.
 */
import type { Database } from "bun:sqlite";
import { reportTaskFailure } from "@sandbox-agent/agents";
import { ProblemError } from "@sandbox-agent/schema";
import { charactersIn, type LogRecord } from "./encode.ts";
import type { Batch } from "./event-rows.ts";
import { CommittedBatch, Feed } from "./feed.ts";
import { hasRecent, Recent } from "./recent.ts";
import { type LogWriter, type Transact, type Transaction, transactionsOn } from "./transaction.ts";
import { WalDrain } from "./wal-drain.ts";

interface Pending {
  writer: LogWriter;
  records: LogRecord[];
}

/** The pause before a failed write is tried again. */
const retryMs = 250;
/** Compaction starts this long after the first event that needs it. It also stores the states that were deferred. */
const compactMs = 1000;
/** Compaction is spread over this many steps, because each step blocks the event loop. */
const compactSteps = 50;
/** The pause between two steps: all steps together take half of `compactMs`. */
const compactPauseMs = compactMs / 100;
/** A session with this many recent records is compacted at once, so that each step of a compaction stays short. */
const compactRecords = 100;
/** More than this in one tick is a burst. The commit then waits a tick, because one large commit costs less than many small ones. */
const burstCharacters = 4 * 1024;
/** With this much pending, a burst is committed without waiting longer. */
const commitCharacters = 128 * 1024;
/** With this much pending, agents get back-pressure. */
const backlogCharacters = 256 * 1024;
/** With more than this pending, a flush writes to `events` directly: for large batches that costs no more than `recent`. */
const recentCharacters = 64 * 1024;

export class EventLog {
  readonly feed = new Feed();
  readonly recent: Recent;
  /** A random id, created with the database. */
  readonly id: string;
  #pending = new Map<number, Pending>();
  #pendingCharacters = 0;
  /** Resolves when the pending records are stored. Null if no flush is scheduled. */
  #flushed: PromiseWithResolvers<void> | null = null;
  /** Sessions whose state is stored with the next compaction. */
  readonly #deferred = new Map<number, LogWriter>();
  #compactTimer: Timer | null = null;
  /** Sessions that the running compaction has not reached yet; empty when none is running. */
  readonly #toCompact = new Set<number>();
  #isFailing = false;
  #isClosed = false;
  #position: number;
  #newest: CommittedBatch | null = null;
  readonly #drain: WalDrain;
  readonly #transact: Transact;

  constructor(private readonly database: Database) {
    this.recent = new Recent(database);
    this.id = logId(database);
    this.#position = lastPosition(database);
    this.#drain = new WalDrain(database);
    this.#transact = transactionsOn(database);
  }

  /** Position of the newest commit. A new reader of all sessions gets the events after it. */
  get position(): number {
    return this.#position;
  }

  /**
   * The records of a session after a sequence, if they are known without a query: all records of the newest commit, or none.
   * Otherwise null. Saves the query for readers of what was just written, such as the stream of a new turn.
   */
  newestAfter(sessionNumber: number, after: number): readonly LogRecord[] | null {
    const newest = this.#newest;
    if (newest?.sessionNumber !== sessionNumber) return null;
    if (after === newest.last) return [];
    return after === newest.first - 1 ? newest.records : null;
  }

  /** Adds records to the next commit; the log owns the array from here on. Resolves when they are stored. */
  append(writer: LogWriter, records: LogRecord[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    const pending = this.#pending.get(writer.number);
    if (pending) pending.records.push(...records);
    else this.#pending.set(writer.number, { writer, records });
    this.#pendingCharacters += charactersIn(records);
    return this.#schedule();
  }

  /** While too much is pending: a promise that resolves when it is stored. Agents await it before they emit more. */
  get backlog(): Promise<void> | undefined {
    return this.#pendingCharacters < backlogCharacters ? undefined : this.#flushed?.promise;
  }

  /** Records of a session that are not stored yet. */
  pendingRecords(sessionNumber: number): readonly LogRecord[] {
    return this.#pending.get(sessionNumber)?.records ?? [];
  }

  /** Stores everything pending now. Throws a storage problem if that fails; the records stay pending. */
  flush(): void {
    if (!this.#flushed) return;
    const pending = [...this.#pending.values()];
    const batches = this.#toBatches(pending);
    if (this.#pendingCharacters <= recentCharacters && !this.recent.isFull) this.#storeRecent(batches);
    else this.#store(batches, pending);
    this.#pending.clear();
    this.#pendingCharacters = 0;
    // Before publishing, because what a listener appends belongs to the next flush.
    this.#flushed.resolve();
    this.#flushed = null;
    this.#publish(batches, pending);
  }

  /** `flush` for readers: ignores storage problems. The next flush tries again. */
  tryFlush(): void {
    ignoreStorageProblems(() => this.flush());
  }

  /** Like `tryFlush`, and compacts everything, including deferred states. */
  tryFlushAll(): void {
    ignoreStorageProblems(() => {
      this.flush();
      this.compact([...this.recent.sessionNumbers, ...this.#deferred.keys()]);
      this.#prune();
    });
  }

  /** Moves the recent events of these sessions into `events` and stores their states. Throws a storage problem if that fails. */
  compact(sessionNumbers: Iterable<number>): void {
    const numbers = [...new Set(sessionNumbers)].filter(
      (number) => this.recent.recordsOf(number).length > 0 || this.#deferredWriter(number),
    );
    if (numbers.length === 0) return;
    this.#write((transaction) => {
      for (const number of numbers) {
        transaction.insert(number, this.recent.commitsOf(number), this.recent.recordsOf(number));
        const writer = this.#deferredWriter(number);
        if (writer) transaction.saveState(writer, true);
      }
    });
    for (const number of numbers) {
      this.recent.remove(number);
      // A state with pending events is deferred again when those are stored.
      this.#deferred.delete(number);
    }
  }

  /** Stores the session's state with the next compaction. */
  deferState(writer: LogWriter): void {
    this.#deferred.set(writer.number, writer);
    this.#compactSoon();
  }

  /**
   * Stores these records and the writes of `inSameTransaction` at once, or throws and stores nothing. Used for commands of
   * clients, which must be stored before they are answered.
   */
  commit(writer: LogWriter, records: LogRecord[], inSameTransaction?: () => void): void {
    this.flush();
    const pending = [{ writer, records }];
    const batches = this.#toBatches(pending);
    this.#store(batches, pending, inSameTransaction);
    this.#publish(batches, pending);
  }

  /** Drops what is pending for a session that is being deleted. */
  discard(sessionNumber: number): void {
    this.#pending.delete(sessionNumber);
    this.#deferred.delete(sessionNumber);
  }

  /** Can be called more than once. */
  close(): void {
    if (this.#isClosed) return;
    this.tryFlushAll();
    this.#isClosed = true;
    this.#drain.close();
    this.database.close();
  }

  #schedule(): Promise<void> {
    if (this.#flushed) return this.#flushed.promise;
    this.#flushed = Promise.withResolvers();
    setImmediate(() => this.#flushAfterBurst(0));
    return this.#flushed.promise;
  }

  #flushAfterBurst(before: number): void {
    const characters = this.#pendingCharacters;
    const isBurst = characters - before > burstCharacters && characters < commitCharacters;
    if (isBurst) setImmediate(() => this.#flushAfterBurst(characters));
    else this.#flushOrRetry();
  }

  /** Agents cannot repeat events, so they stay pending until the write succeeds. */
  #flushOrRetry(): void {
    if (this.#isClosed) return;
    try {
      this.flush();
    } catch {
      setTimeout(() => this.#flushOrRetry(), retryMs);
    }
  }

  #compactSoon(): void {
    this.#compactTimer ??= setTimeout(() => {
      this.#compactTimer = null;
      this.#compactAll();
    }, compactMs).unref();
  }

  #compactAll(): void {
    const isRunning = this.#toCompact.size > 0;
    for (const number of [...this.recent.sessionNumbers, ...this.#deferred.keys()]) this.#toCompact.add(number);
    if (!isRunning) this.#compactNext(Math.ceil(this.#toCompact.size / compactSteps));
  }

  /** Runs one step of the compaction, then pauses so that new events can be stored in between. */
  #compactNext(count: number): void {
    if (this.#isClosed) return;
    const next = [...this.#toCompact].slice(0, count);
    try {
      this.compact(next);
      for (const number of next) this.#toCompact.delete(number);
      if (this.#toCompact.size === 0) this.#prune();
    } catch {
      // The next compaction tries again.
      this.#toCompact.clear();
    }
    if (this.#toCompact.size > 0) setTimeout(() => this.#compactNext(count), compactPauseMs).unref();
    else if (!this.recent.isEmpty || this.#deferred.size > 0) this.#compactSoon();
  }

  #prune(): void {
    if (!this.#isClosed && hasRecent(this.database)) this.#write(() => this.recent.prune());
  }

  /** The writer whose deferred state can be stored now. A state must not be stored before its events. */
  #deferredWriter(sessionNumber: number): LogWriter | undefined {
    return this.#pending.has(sessionNumber) ? undefined : this.#deferred.get(sessionNumber);
  }

  /** Each session's records become one batch with the next position. */
  #toBatches(pending: readonly Pending[]): CommittedBatch[] {
    return pending.map(
      ({ writer, records }, index) => new CommittedBatch(writer.number, this.#position + 1 + index, records),
    );
  }

  #storeRecent(batches: readonly Batch[]): void {
    this.#write(() => this.recent.insert(batches));
    this.recent.add(batches);
    for (const { sessionNumber, records } of batches) this.#compactIfLarge(sessionNumber, records.length);
    this.#compactSoon();
    if (this.recent.isFull) this.#compactAll();
  }

  /** Compacts the session when it reaches `compactRecords`. If that fails, the next regular compaction tries again. */
  #compactIfLarge(sessionNumber: number, added: number): void {
    const { length } = this.recent.recordsOf(sessionNumber);
    if (length >= compactRecords && length - added < compactRecords)
      ignoreStorageProblems(() => this.compact([sessionNumber]));
  }

  /** Stores batches in `events`, after the recent events of their sessions, and the states that cannot be deferred. */
  #store(batches: readonly Batch[], pending: readonly Pending[], inSameTransaction?: () => void): void {
    if (batches.length === 0) return;
    this.#write((transaction) => {
      inSameTransaction?.();
      for (const batch of batches) {
        const { sessionNumber, records } = batch;
        const commits = [...this.recent.commitsOf(sessionNumber), batch];
        transaction.insert(sessionNumber, commits, [...this.recent.recordsOf(sessionNumber), ...records]);
      }
      for (const { writer } of pending) transaction.saveState(writer, false);
    });
    for (const { sessionNumber } of batches) this.recent.remove(sessionNumber);
  }

  /** All writes go through here. The first failed write of an outage is reported. */
  #write(work: (transaction: Transaction) => void): void {
    try {
      this.#drain.onWrite(this.#transact(work).bytes);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) reportTaskFailure({ task: "write to the event log", error });
      this.#isFailing = true;
      throw error;
    }
  }

  #publish(batches: readonly CommittedBatch[], pending: readonly Pending[]): void {
    this.#position += batches.length;
    this.#newest = batches.at(-1) ?? this.#newest;
    for (const { writer } of pending) if (writer.hasNewState) this.deferState(writer);
    for (const batch of batches) this.feed.publish(batch);
  }
}

function ignoreStorageProblems(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}

function logId(database: Database): string {
  return database.query<{ id: string }, []>("SELECT id FROM log").get()?.id ?? "";
}

function lastPosition(database: Database): number {
  const row = database
    .query<{ position: number | null }, []>(
      "SELECT max(position) AS position FROM (SELECT max(position) AS position FROM commits UNION ALL SELECT max(position) FROM recent)",
    )
    .get();
  return row?.position ?? 0;
}
