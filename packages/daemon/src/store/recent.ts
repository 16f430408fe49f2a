/**
 * The newest events, in a small table of their own. A row of `events` holds many records, and `commits` and the state of a
 * session are written with it: too much for each single event of an agent. So what agents emit is first inserted here, one
 * row per batch, and `EventLog` moves the rows of a session into `events` together. Both happen in transactions of the same
 * database, so an event is in one of the two tables at any moment, and a crash needs no repair.
 *
 * Ids are those of `events`, so the rows of a session lie together behind what `events` has of it.
 */
import type { Database, Statement } from "bun:sqlite";
import { charactersIn, type LogRecord } from "./encode.ts";
import { type Batch, type Commit, type EventRow, eventId, recordsIn, rowOf, sessionNumberOf } from "./event-rows.ts";

type RecentRow = EventRow & { position: number; first: number };
/** What one session has here. */
interface Size {
  records: number;
  characters: number;
}
type InsertedRow = [id: number, position: number, first: number, event: EventRow["event"], raw: EventRow["raw"]];

/** With more than this it is moved at once: the stream of all sessions scans the table. */
const maxCharacters = 1024 * 1024;

/** Whether the last run left events here, because it was killed. */
export function hasRecent(database: Database): boolean {
  return database.query("SELECT 1 FROM recent LIMIT 1").get() !== null;
}

export class Recent {
  readonly #sizes = new Map<number, Size>();
  #characters = 0;
  readonly #insert: Statement<unknown, InsertedRow>;
  readonly #rows: Statement<RecentRow, [number, number]>;
  readonly #delete: Statement<unknown, [number, number]>;

  constructor(database: Database) {
    this.#insert = database.query("INSERT INTO recent (id, position, first, event, raw) VALUES (?, ?, ?, ?, ?)");
    this.#rows = database.query("SELECT * FROM recent WHERE id > ? AND id < ? ORDER BY id");
    this.#delete = database.query("DELETE FROM recent WHERE id > ? AND id < ?");
    for (const { id, characters } of database
      .query<{ id: number; characters: number }, []>("SELECT id, length(event) AS characters FROM recent")
      .all())
      this.#grow(sessionNumberOf(id), 1, characters);
  }

  /** Sessions with events here. */
  get sessionNumbers(): number[] {
    return [...this.#sizes.keys()];
  }

  get isFull(): boolean {
    return this.#characters > maxCharacters;
  }

  /** How many records a session has here. */
  countOf(sessionNumber: number): number {
    return this.#sizes.get(sessionNumber)?.records ?? 0;
  }

  /** Part of a transaction; `inserted` follows when it is committed. */
  insert({ sessionNumber, position, first, last, records }: Batch): void {
    const { id, event, raw } = rowOf(eventId(sessionNumber, last), records);
    this.#insert.run(id, position, first, event, raw);
  }

  inserted({ sessionNumber, records }: Batch): void {
    this.#grow(sessionNumber, records.length, charactersIn(records));
  }

  /** Reads and deletes what a session has here, in order. Part of a transaction; `taken` follows when it is committed. */
  take(sessionNumber: number): { commits: Commit[]; records: LogRecord[] } {
    if (!this.#sizes.has(sessionNumber)) return { commits: [], records: [] };
    const span = [eventId(sessionNumber, 0), eventId(sessionNumber + 1, 0)] as const;
    const commits: Commit[] = [];
    const records: LogRecord[] = [];
    for (const row of this.#rows.all(...span)) {
      const { position, first } = row;
      commits.push({ sessionNumber, position, first, last: row.id - eventId(sessionNumber, 0) });
      records.push(...recordsIn(row, sessionNumber, 0));
    }
    this.#delete.run(...span);
    return { commits, records };
  }

  taken(sessionNumber: number): void {
    this.#characters -= this.#sizes.get(sessionNumber)?.characters ?? 0;
    this.#sizes.delete(sessionNumber);
  }

  #grow(sessionNumber: number, records: number, characters: number): void {
    const size = this.#sizes.get(sessionNumber) ?? { records: 0, characters: 0 };
    size.records += records;
    size.characters += characters;
    this.#sizes.set(sessionNumber, size);
    this.#characters += characters;
  }
}
