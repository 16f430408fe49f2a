/** The read path: history in pages, so that neither a long session nor a huge event fills the memory. */
import type { Database, Statement } from "bun:sqlite";
import type { LogRecord } from "./encode.ts";
import { type EventRow, eventId, recordsIn } from "./event-rows.ts";

/** A page ends after this many events or, with the event that crosses it, this many characters. */
const pageEvents = 1000;
const pageCharacters = 256 * 1024;

/** A place in the order of all sessions: everything up to this sequence of this commit has been read. */
export interface GlobalCursor {
  position: number;
  sequence: number;
}

export interface GlobalRecord extends GlobalCursor {
  record: LogRecord;
}

type CommitRow = { position: number; session: number; first: number; last: number };

export class History {
  readonly #events: Statement<EventRow, [number, number]>;
  readonly #commits: Statement<CommitRow, [number, number]>;

  constructor(database: Database) {
    this.#events = database.query("SELECT id, event, raw FROM events WHERE id > ? AND id < ? ORDER BY id");
    this.#commits = database.query(
      "SELECT position, session, first, last FROM commits WHERE position >= ? ORDER BY position LIMIT ?",
    );
  }

  /** The next records of a session after a sequence. Empty at the end of what is stored. */
  page(sessionNumber: number, after: number, limit = pageEvents): LogRecord[] {
    const end = eventId(sessionNumber + 1, 0);
    return this.#read(sessionNumber, after, end, Math.min(limit, pageEvents)).records;
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

  /** The next records of all sessions after a cursor, in the order of their commits. */
  globalPage(after: GlobalCursor): { records: GlobalRecord[]; next: GlobalCursor } {
    const records: GlobalRecord[] = [];
    let next = after;
    let characters = 0;
    for (const { position, session, first, last } of this.#commits.all(after.position, pageEvents)) {
      const from = position === after.position ? Math.max(first - 1, Math.min(after.sequence, last)) : first - 1;
      const page = this.#read(session, from, eventId(session, last + 1), pageEvents);
      for (const record of page.records) {
        records.push({ position, sequence: record.sequence, record });
        next = { position, sequence: record.sequence };
        characters += record.text.length;
      }
      if (page.cut || characters >= pageCharacters || records.length >= pageEvents) return { records, next };
      next = { position, sequence: last };
    }
    return { records, next };
  }

  /** `end` is the id before which to stop. `cut` tells that the limits, not that id, ended the page. */
  #read(sessionNumber: number, after: number, end: number, limit: number): { records: LogRecord[]; cut: boolean } {
    const records: LogRecord[] = [];
    let characters = 0;
    if (limit <= 0) return { records, cut: true };
    for (const row of this.#events.iterate(eventId(sessionNumber, after), end)) {
      for (const record of recordsIn(row, sessionNumber, after)) {
        records.push(record);
        characters += record.text.length + (record.raw?.length ?? 0);
        if (records.length >= limit || characters >= pageCharacters) return { records, cut: true };
      }
    }
    return { records, cut: false };
  }
}
