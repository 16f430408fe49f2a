/**
 * The write path: records are gathered for a tick, or a few of them while it pours, stored together, and only then handed to
 * readers. So an event that anybody has seen is in the log. What agents say is stored in the tail, from where the database
 * takes it over soon; what pours, and whatever clients do, is stored in the database at once.
 */
import type { Database } from "bun:sqlite";
import { ProblemError } from "@sandbox-agent/schema";
import { storageProblem } from "./database.ts";
import type { LogRecord } from "./encode.ts";
import { eventId } from "./event-rows.ts";
import { CommittedBatch, Feed } from "./feed.ts";
import { type Batch, Tail } from "./tail.ts";
import { type LogWriter, type Transact, type Transaction, transactionsOn } from "./transaction.ts";
import { WalDrain } from "./wal-drain.ts";

interface Pending {
  writer: LogWriter;
  records: LogRecord[];
}

const retryMs = 250;
/** The database takes over the tail after so long, and with it the states that can wait. */
const lateMs = 1000;
/** More than this in a tick is a flood: the next tick brings more of it, and few large commits cost less than many. */
const floodCharacters = 4 * 1024;
/** What a commit gathers at most before it is made. */
const commitCharacters = 128 * 1024;
/** With more than this to be stored, agents wait. */
const roomCharacters = 256 * 1024;
/** In so many steps within half of that time: what the agents say waits for each of them. */
const takeOverSteps = 50;
/** So many records of a session are taken over without waiting for more of them, for the same reason. */
const takeOverRecords = 100;
/** More than this at once is as cheap in the database as in the tail. */
const tailCharacters = 64 * 1024;

export class EventLog {
  readonly feed = new Feed();
  readonly tail: Tail;
  #pending = new Map<number, Pending>();
  #pendingCharacters = 0;
  #settled: PromiseWithResolvers<void> | null = null;
  #retry: Timer | null = null;
  /** Sessions whose state waits to be stored. */
  readonly #late = new Map<number, LogWriter>();
  #lateTimer: Timer | null = null;
  /** Sessions that the database takes over next. */
  readonly #due = new Set<number>();
  #isTakingOver = false;
  #closed = false;
  #position: number;
  #newest: CommittedBatch | null = null;
  readonly #drain: WalDrain;
  readonly #transact: Transact;

  /** Without a path for its files there is no tail. */
  constructor(
    private readonly database: Database,
    tailPath: string | null = null,
  ) {
    this.tail = new Tail(tailPath, (sessionNumber) => lastStored(database, sessionNumber));
    this.#position = Math.max(lastPosition(database), this.tail.lastPosition);
    this.#drain = new WalDrain(database);
    this.#transact = transactionsOn(database);
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

  /** Adds records, which are the log's from now on, to the coming commit. Resolves when they are stored, whenever that is. */
  append(writer: LogWriter, records: LogRecord[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    const pending = this.#pending.get(writer.number);
    if (pending) pending.records.push(...records);
    else this.#pending.set(writer.number, { writer, records });
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
    if (!this.#settled) return;
    const pending = [...this.#pending.values()];
    const batches = this.#numbered(pending);
    if (this.#pendingCharacters <= tailCharacters && this.#hasTail()) this.#extendTail(batches);
    else if (batches.length > 0) this.#store(batches, pending);
    this.#pending.clear();
    this.#pendingCharacters = 0;
    // Whatever a listener appends belongs to the next flush, so this one is settled first.
    this.#settled.resolve();
    this.#settled = null;
    this.#publish(batches, pending);
    for (const { sessionNumber, records } of batches) this.#takeOverFilled(sessionNumber, records.length);
  }

  /** The same for those who only read: what cannot be stored now is not in the log yet, and will be. */
  tryFlush(): void {
    unlessRefused(() => this.flush());
  }

  /** The same, after which the database has everything, with the states that could wait. */
  tryFlushAll(): void {
    unlessRefused(() => {
      this.flush();
      this.takeOver(...this.tail.sessionNumbers, ...this.#late.keys());
    });
  }

  /** The database takes over what the tail has of these sessions, and their states with it. Throws when the disk refuses. */
  takeOver(...sessionNumbers: number[]): void {
    const numbers = new Set(sessionNumbers.filter((number) => this.tail.has(number) || this.#late.has(number)));
    if (numbers.size === 0) return;
    this.#write((transaction) => {
      for (const number of numbers) {
        const writer = this.#late.get(number);
        transaction.insert(number, this.tail.commitsOf(number), this.tail.recordsOf(number));
        if (writer) transaction.saveState(writer, true);
      }
    });
    for (const number of numbers) {
      this.tail.remove(number);
      this.#late.delete(number);
    }
  }

  /** The session's state is to be stored when there is time. */
  storeLater(writer: LogWriter): void {
    this.#late.set(writer.number, writer);
    this.#takeOverLater();
  }

  /**
   * Stores these records at once, with whatever else `alongside` writes, or throws and stores nothing. For commands of
   * clients: they are either done when answered, or did not happen.
   */
  commit(writer: LogWriter, records: LogRecord[], alongside?: () => void): void {
    this.flush();
    const pending = [{ writer, records }];
    const batches = this.#numbered(pending);
    this.#store(batches, pending, alongside);
    this.#publish(batches, pending);
  }

  /** Forgets what is gathered for a session that is being deleted. */
  discard(sessionNumber: number): void {
    this.#pending.delete(sessionNumber);
    this.#late.delete(sessionNumber);
    this.tail.remove(sessionNumber);
  }

  /** Closing it twice is closing it once. */
  close(): void {
    if (this.#closed) return;
    this.tryFlushAll();
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#lateTimer) clearTimeout(this.#lateTimer);
    this.tail.close();
    this.#drain.close();
    this.database.close();
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

  #takeOverLater(): void {
    this.#lateTimer ??= setTimeout(() => {
      this.#lateTimer = null;
      this.#turnOver();
    }, lateMs).unref();
  }

  /** What is in the tail, and the states that could wait, are taken over, some sessions after the other. */
  #turnOver(): void {
    for (const number of [...this.tail.turnOver(), ...this.#late.keys()]) this.#due.add(number);
    if (this.#isTakingOver) return;
    this.#isTakingOver = true;
    this.#takeOverNext(Math.ceil(this.#due.size / takeOverSteps));
  }

  /** With a pause behind them: what the agents say meanwhile waits for one step at most. */
  #takeOverNext(count: number): void {
    if (this.#closed) return;
    const next = [...this.#due].slice(0, count);
    try {
      this.takeOver(...next);
    } catch {
      // What the disk refuses is tried again.
      this.#due.clear();
    }
    this.#isTakingOver = this.#due.size > 0;
    for (const number of next) this.#due.delete(number);
    if (this.#isTakingOver) setTimeout(() => this.#takeOverNext(count), lateMs / 2 / takeOverSteps).unref();
    else if (!this.tail.isEmpty || this.#late.size > 0) this.#takeOverLater();
  }

  #hasTail(): boolean {
    if (!this.tail.hasRoom) this.#turnOver();
    return this.tail.hasRoom;
  }

  /** Tried once, when they have become so many: what the disk refuses then has time. */
  #takeOverFilled(sessionNumber: number, added: number): void {
    const { length } = this.tail.recordsOf(sessionNumber);
    if (length >= takeOverRecords && length - added < takeOverRecords)
      unlessRefused(() => this.takeOver(sessionNumber));
  }

  #numbered(pending: readonly Pending[]): CommittedBatch[] {
    return pending.map(
      ({ writer, records }, index) => new CommittedBatch(writer.number, this.#position + 1 + index, records),
    );
  }

  #extendTail(batches: readonly Batch[]): void {
    try {
      this.tail.add(batches);
    } catch (error) {
      throw storageProblem(error);
    }
    this.#takeOverLater();
  }

  /** Stores batches in the database, what the tail has of their sessions before them, and the states that may not wait. */
  #store(batches: readonly Batch[], pending: readonly Pending[], alongside?: () => void): void {
    this.#write((transaction) => {
      alongside?.();
      for (const batch of batches) {
        const { sessionNumber, records } = batch;
        const earlier = this.tail.commitsOf(sessionNumber);
        if (earlier.length === 0) transaction.insert(sessionNumber, [batch], records);
        else
          transaction.insert(sessionNumber, [...earlier, batch], [...this.tail.recordsOf(sessionNumber), ...records]);
      }
      for (const { writer } of pending) transaction.saveState(writer, false);
    });
    for (const { sessionNumber } of batches) this.tail.remove(sessionNumber);
  }

  #write(work: (transaction: Transaction) => void): void {
    const { states, bytes } = this.#transact(work);
    for (const [{ number }] of states) this.#late.delete(number);
    this.#drain.wrote(bytes);
  }

  #publish(batches: readonly CommittedBatch[], pending: readonly Pending[]): void {
    this.#position += batches.length;
    this.#newest = batches.at(-1) ?? this.#newest;
    for (const { writer } of pending) if (writer.hasNewState) this.storeLater(writer);
    for (const batch of batches) this.feed.publish(batch);
  }
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

/** Null when there is no such session. */
function lastStored(database: Database, sessionNumber: number): number | null {
  const row = database
    .query<{ last: number }, [number, number, number]>(
      `SELECT max(ifnull(json_extract(state, '$.sequence'), 0),
         ifnull((SELECT max(id) FROM events WHERE id >= ? AND id < ?), 0) % 4294967296) AS last
       FROM sessions WHERE number = ?`,
    )
    .get(eventId(sessionNumber, 0), eventId(sessionNumber + 1, 0), sessionNumber);
  return row?.last ?? null;
}
