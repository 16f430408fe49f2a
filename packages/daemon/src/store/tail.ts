/**
 * The newest end of the log: batches that are committed but not in the database yet. A transaction for each event would take
 * longer than all the rest that happens to it, so single events are first written to a file, and the database takes over
 * those of a session together. A crash leaves them in the file; until the database has them, readers find them here.
 *
 * There are two files: while the database takes over what is in one, the other is written to.
 */
import { existsSync, statSync } from "node:fs";
import type { LogRecord } from "./encode.ts";
import { TailFile } from "./tail-file.ts";

/** When a session said the events from one sequence to another. */
export interface Commit {
  readonly sessionNumber: number;
  /** Its place in the order of all sessions. */
  readonly position: number;
  readonly first: number;
  readonly last: number;
}

export interface Batch extends Commit {
  readonly records: readonly LogRecord[];
}

/** What there is of a session. */
interface SessionTail {
  commits: Commit[];
  records: LogRecord[];
}

interface Side {
  file: TailFile;
  /** Those who have something in it that the database does not have yet. */
  sessions: Set<number>;
}

/** With this much in a file, the other one is next. It bounds the memory, and what a start has to read. */
const fileBytes = 1024 * 1024;

function filesAt(path: string): string[] {
  return ["a", "b"].map((name) => `${path}-${name}`);
}

/** Whether the last run did not end in order, so that there may be something in them. */
export function isTailLeft(path: string): boolean {
  return filesAt(path).some((file) => existsSync(file) && statSync(file).size > 0);
}

export class Tail {
  readonly #sessions = new Map<number, SessionTail>();
  /** The first is written to. */
  readonly #sides: Side[];
  /** The last position in the files, also of what the database has already. */
  readonly lastPosition: number;

  /**
   * Without a path there are no files, and nothing may stay here. Otherwise it begins with what a crash has left of sessions
   * whose last sequence in the database is told; null where there is no such session any more.
   */
  constructor(path: string | null, lastStored: (sessionNumber: number) => number | null) {
    const files = path === null ? [] : filesAt(path).map((file) => new TailFile(file));
    this.#sides = files.map((file) => ({ file, sessions: new Set() }));
    const left = this.#sides.flatMap((side) => side.file.read().map((batch) => ({ batch, side })));
    left.sort((a, b) => a.batch.position - b.batch.position);
    this.lastPosition = left.at(-1)?.batch.position ?? 0;
    for (const { batch, side } of left) {
      const before = this.recordsOf(batch.sessionNumber).at(-1)?.sequence ?? lastStored(batch.sessionNumber);
      // What the database has is left out. After a power failure it may lack what came before: then this continues nothing.
      if (before === batch.first - 1) this.#keep(batch, side);
    }
    this.#rewindUnused();
  }

  /** Sessions that have something in it. */
  get sessionNumbers(): number[] {
    return [...this.#sessions.keys()];
  }

  has(sessionNumber: number): boolean {
    return this.#sessions.has(sessionNumber);
  }

  commitsOf(sessionNumber: number): readonly Commit[] {
    return this.#sessions.get(sessionNumber)?.commits ?? [];
  }

  recordsOf(sessionNumber: number): readonly LogRecord[] {
    return this.#sessions.get(sessionNumber)?.records ?? [];
  }

  /** Those of all sessions from a position on, in order. */
  commitsFrom(position: number): Commit[] {
    const commits = [...this.#sessions.values()].flatMap(({ commits }) => commits);
    return commits.filter((commit) => commit.position >= position).sort((a, b) => a.position - b.position);
  }

  get isEmpty(): boolean {
    return this.#sessions.size === 0;
  }

  get hasRoom(): boolean {
    const [side] = this.#sides;
    return side !== undefined && side.file.size < fileBytes;
  }

  /** Throws, with nothing taken, when the disk refuses. */
  add(batches: readonly Batch[]): void {
    const [side] = this.#sides;
    if (!side) throw new Error("there is no file to write to");
    side.file.write(batches);
    for (const batch of batches) this.#keep(batch, side);
  }

  /** The database has what there was of this session, or it was deleted. */
  remove(sessionNumber: number): void {
    if (!this.#sessions.delete(sessionNumber)) return;
    for (const { sessions } of this.#sides) sessions.delete(sessionNumber);
    this.#rewindUnused();
  }

  /** Writes to the other file from now on, unless something in it has not been removed yet. Tells what has to be removed next. */
  turnOver(): number[] {
    const [, other] = this.#sides;
    if (other?.sessions.size === 0) this.#sides.reverse();
    return [...(this.#sides[1]?.sessions ?? [])];
  }

  close(): void {
    for (const { file } of this.#sides) {
      if (this.isEmpty) file.empty();
      file.close();
    }
  }

  #keep(batch: Batch, side: Side): void {
    const { sessionNumber, position, first, last, records } = batch;
    let session = this.#sessions.get(sessionNumber);
    if (!session) {
      session = { commits: [], records: [] };
      this.#sessions.set(sessionNumber, session);
    }
    // A copy, since the batch has its frames as well.
    session.commits.push({ sessionNumber, position, first, last });
    for (const record of records) session.records.push(record);
    side.sessions.add(sessionNumber);
  }

  #rewindUnused(): void {
    for (const { file, sessions } of this.#sides) if (sessions.size === 0) file.rewind();
  }
}
