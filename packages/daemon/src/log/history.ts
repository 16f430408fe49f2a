/** The read path: history in pages, so that neither a long session nor a huge event fills the memory. */
import type { Database, Statement } from "bun:sqlite";
import type { LogRecord } from "./encode.ts";

const sessionSpan = 2 ** 32;
/** Beyond it, ids would no longer be whole numbers. */
export const maxSessionNumber = 2 ** 21 - 1;

export function eventId(sessionNumber: number, sequence: number): number {
  return sessionNumber * sessionSpan + sequence;
}

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

type EventRow = { id: number; event: string; raw: string | null };
type CommitRow = { position: number; session: number; first: number; last: number };

export class History {
  readonly #events: Statement<EventRow, [number, number, number]>;
  readonly #commits: Statement<CommitRow, [number, number]>;

  constructor(database: Database) {
    this.#events = database.query("SELECT id, event, raw FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?");
    this.#commits = database.query(
      "SELECT position, session, first, last FROM commits WHERE position >= ? ORDER BY position LIMIT ?",
    );
  }

  /** The next records of a session after a sequence. Empty at the end of what is stored. */
  page(sessionNumber: number, after: number, limit = pageEvents): LogRecord[] {
    return this.#read(sessionNumber, after, sessionSpan - 1, Math.min(limit, pageEvents)).records;
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
      const page = this.#read(session, from, last, pageEvents);
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

  /** `cut` tells that the limits, not the end of the range, ended the page. */
  #read(sessionNumber: number, after: number, upTo: number, limit: number): { records: LogRecord[]; cut: boolean } {
    const base = eventId(sessionNumber, 0);
    const records: LogRecord[] = [];
    let characters = 0;
    for (const { id, event, raw } of this.#events.iterate(base + after, base + upTo, limit)) {
      records.push({ sequence: id - base, text: event, raw });
      characters += event.length + (raw?.length ?? 0);
      if (characters >= pageCharacters) return { records, cut: true };
    }
    return { records, cut: records.length === limit };
  }
}
