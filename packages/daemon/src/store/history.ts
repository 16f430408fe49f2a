/**
 * The read path: history in pages, so that neither a long session nor a huge event fills the memory. It reads the table
 * `events` first, then the recent events, which are in memory.
 */
import type { Database, Statement } from "bun:sqlite";
import { Slice } from "../slices.ts";
import type { LogRecord } from "./encode.ts";
import { type Commit, type EventRow, endOfEvents, eventId, recordsIn } from "./event-rows.ts";
import type { Recent } from "./recent.ts";

/** A page ends after this many events, or with the event that exceeds this many characters. */
const pageEvents = 1000;
const pageCharacters = 256 * 1024;

/** A position in the order of all sessions: everything up to this sequence of this commit has been read. */
export interface GlobalCursor {
  position: number;
  sequence: number;
}

export interface GlobalRecord extends GlobalCursor {
  record: LogRecord;
}

export class History {
  readonly #events: Statement<EventRow, [number, number]>;
  readonly #nextRow: Statement<EventRow, [number, number]>;
  readonly #commits: Statement<Commit, [number, number]>;

  constructor(
    database: Database,
    private readonly recent: Pick<Recent, "commitsFrom" | "recordsOf">,
  ) {
    this.#events = database.query("SELECT id, event, raw FROM events WHERE id > ? AND id < ? ORDER BY id");
    this.#nextRow = database.query("SELECT id, event, raw FROM events WHERE id > ? AND id < ? ORDER BY id LIMIT 1");
    this.#commits = database.query(
      "SELECT position, session AS sessionNumber, first, last FROM commits WHERE position >= ? ORDER BY position LIMIT ?",
    );
  }

  /** The next stored records of a session after a sequence; empty at the end. */
  page(sessionNumber: number, after: number, limit = pageEvents): LogRecord[] {
    const records: LogRecord[] = [];
    let characters = 0;
    if (limit <= 0) return records;
    for (const row of this.#rowsAfter(sessionNumber, after)) {
      for (const record of row) {
        records.push(record);
        characters += record.text.length + (record.raw?.length ?? 0);
        if (records.length >= Math.min(limit, pageEvents) || characters >= pageCharacters) return records;
      }
    }
    return records;
  }

  /** All records of a session after a sequence, page by page. */
  *records(sessionNumber: number, after: number): Generator<LogRecord> {
    let last = after;
    for (;;) {
      const page = this.page(sessionNumber, last);
      yield* page;
      const end = page.at(-1);
      if (!end) return;
      last = end.sequence;
    }
  }

  /** The same pages in slices, so that other requests are served in between. */
  async *pages(sessionNumber: number, after: number): AsyncGenerator<LogRecord[]> {
    const slice = new Slice();
    for (let last = after; ; ) {
      const page = this.page(sessionNumber, last);
      const end = page.at(-1);
      if (!end) return;
      yield page;
      last = end.sequence;
      if (slice.isOver) await slice.next();
    }
  }

  /** The next records of all sessions after a cursor, in the order of their commits. */
  globalPage(after: GlobalCursor): { records: GlobalRecord[]; next: GlobalCursor } {
    const records: GlobalRecord[] = [];
    const sessions = new Map<number, SessionReader>();
    let next = after;
    let characters = 0;
    for (const { position, sessionNumber, first, last } of this.#commitsFrom(after.position)) {
      const from = position === after.position ? Math.max(first - 1, Math.min(after.sequence, last)) : first - 1;
      const reader = sessions.get(sessionNumber) ?? this.#reader(sessionNumber, from);
      sessions.set(sessionNumber, reader);
      for (const record of reader.upTo(last)) {
        records.push({ position, sequence: record.sequence, record });
        next = { position, sequence: record.sequence };
        characters += record.text.length + (record.raw?.length ?? 0);
        if (characters >= pageCharacters || records.length >= pageEvents) return { records, next };
      }
      next = { position, sequence: last };
    }
    return { records, next };
  }

  /** Recent commits can have positions between those of compacted commits. */
  #commitsFrom(position: number): Commit[] {
    const stored = this.#commits.all(position, pageEvents);
    const end = stored.length < pageEvents ? Number.POSITIVE_INFINITY : (stored.at(-1)?.position ?? 0);
    const recent = this.recent.commitsFrom(position).filter((commit) => commit.position < end);
    return recent.length === 0 ? stored : [...stored, ...recent].sort((a, b) => a.position - b.position);
  }

  /** The records of each row, and the recent ones. */
  *#rowsAfter(sessionNumber: number, after: number): Generator<LogRecord[]> {
    const recent = this.recent.recordsOf(sessionNumber);
    if (after < (recent[0]?.sequence ?? Number.POSITIVE_INFINITY) - 1) {
      for (const row of this.#events.iterate(eventId(sessionNumber, after), endOfEvents(sessionNumber)))
        yield recordsIn(row, sessionNumber, after);
    }
    yield recent.filter(({ sequence }) => sequence > after);
  }

  #reader(sessionNumber: number, start: number): SessionReader {
    return new SessionReader(start, (after) => {
      const row = this.#nextRow.get(eventId(sessionNumber, after), endOfEvents(sessionNumber));
      if (row) return recordsIn(row, sessionNumber, after);
      return this.recent.recordsOf(sessionNumber).filter(({ sequence }) => sequence > after);
    });
  }
}

/** Reads a session in steps: a row may contain records of several commits, with commits of other sessions in between. */
class SessionReader {
  #read: readonly LogRecord[] = [];
  #yielded = 0;

  constructor(
    private after: number,
    private readonly readAfter: (sequence: number) => readonly LogRecord[],
  ) {}

  /** The next records up to a sequence. */
  *upTo(last: number): Generator<LogRecord> {
    while (this.after < last) {
      if (this.#yielded === this.#read.length) {
        this.#read = this.readAfter(this.after);
        this.#yielded = 0;
      }
      const record = this.#read[this.#yielded];
      if (!record || record.sequence > last) return;
      this.#yielded += 1;
      this.after = record.sequence;
      yield record;
    }
  }
}
