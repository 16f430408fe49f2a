/**
 * The newest events, which are not in the table `events` yet. A row of `events` contains many records, and `commits` and the
 * session's state are written with it, which is too expensive for each single event of an agent. So a batch is first
 * appended to the small table `recent`, and `EventLog` later moves the recent events of a session into `events` together.
 *
 * The table is read only after a crash; until then readers get recent events from memory. Rows are deleted once all batches
 * up to a position are moved, so after a crash some rows may also be in `events`; they are skipped.
 */
import type { Database, Statement } from "bun:sqlite";
import { charactersIn, type LogRecord } from "./encode.ts";
import {
  type Batch,
  type Commit,
  type EventRow,
  endOfEvents,
  eventId,
  recordsIn,
  rowOf,
  sessionNumberOf,
} from "./event-rows.ts";

type RecentRow = EventRow & { position: number };
type InsertedRow = [position: number, id: number, event: EventRow["event"], raw: EventRow["raw"]];

/** The recent events of one session. */
interface SessionEvents {
  commits: Commit[];
  records: LogRecord[];
  characters: number;
}

/** With more than this, batches go into `events` directly. Limits the memory and what a start has to read. */
const maxCharacters = 1024 * 1024;

/** Whether the table has rows. At the start of the daemon that means that the last run was killed. */
export function hasRecent(database: Database): boolean {
  return database.query("SELECT 1 FROM recent LIMIT 1").get() !== null;
}

export class Recent {
  readonly #sessions = new Map<number, SessionEvents>();
  #characters = 0;
  readonly #insert: Statement<unknown, InsertedRow>;
  readonly #deleteUpTo: Statement<unknown, [number]>;

  constructor(database: Database) {
    this.#insert = database.query("INSERT INTO recent (position, id, event, raw) VALUES (?, ?, ?, ?)");
    this.#deleteUpTo = database.query("DELETE FROM recent WHERE position < ?");
    for (const row of database.query<RecentRow, []>("SELECT * FROM recent ORDER BY position").iterate()) {
      const batch = batchIn(row);
      const before = this.recordsOf(batch.sessionNumber).at(-1)?.sequence ?? lastStored(database, batch.sessionNumber);
      // Otherwise the batch is already in `events`, its session is deleted, or a power failure lost the events before it.
      if (before === batch.first - 1) this.#keep(batch);
    }
  }

  /** Sessions with recent events. */
  get sessionNumbers(): number[] {
    return [...this.#sessions.keys()];
  }

  get isEmpty(): boolean {
    return this.#sessions.size === 0;
  }

  get isFull(): boolean {
    return this.#characters > maxCharacters;
  }

  commitsOf(sessionNumber: number): readonly Commit[] {
    return this.#sessions.get(sessionNumber)?.commits ?? [];
  }

  recordsOf(sessionNumber: number): readonly LogRecord[] {
    return this.#sessions.get(sessionNumber)?.records ?? [];
  }

  /** Commits of all sessions from a position on, in order. */
  commitsFrom(position: number): Commit[] {
    const commits = [...this.#sessions.values()].flatMap((session) => session.commits);
    return commits.filter((commit) => commit.position >= position).sort((a, b) => a.position - b.position);
  }

  /** Inserts the rows in the caller's transaction. Call `add` after it is committed. */
  insert(batches: readonly Batch[]): void {
    for (const { sessionNumber, position, last, records } of batches) {
      const { id, event, raw } = rowOf(eventId(sessionNumber, last), records);
      this.#insert.run(position, id, event, raw);
    }
  }

  add(batches: readonly Batch[]): void {
    for (const batch of batches) this.#keep(batch);
  }

  /** Call when the session's events are in `events`, or the session is deleted. */
  remove(sessionNumber: number): void {
    this.#characters -= this.#sessions.get(sessionNumber)?.characters ?? 0;
    this.#sessions.delete(sessionNumber);
  }

  /** Deletes rows that are no longer needed, in the caller's transaction. */
  prune(): void {
    let first = Number.MAX_SAFE_INTEGER;
    for (const { commits } of this.#sessions.values()) first = Math.min(first, commits[0]?.position ?? first);
    this.#deleteUpTo.run(first);
  }

  #keep({ sessionNumber, position, first, last, records }: Batch): void {
    let session = this.#sessions.get(sessionNumber);
    if (!session) {
      session = { commits: [], records: [], characters: 0 };
      this.#sessions.set(sessionNumber, session);
    }
    // A copy, because a committed batch also keeps its frames in memory.
    session.commits.push({ sessionNumber, position, first, last });
    for (const record of records) session.records.push(record);
    const characters = charactersIn(records);
    session.characters += characters;
    this.#characters += characters;
  }
}

function batchIn(row: RecentRow): Batch {
  const sessionNumber = sessionNumberOf(row.id);
  const records = recordsIn(row, sessionNumber, 0);
  const last = row.id - eventId(sessionNumber, 0);
  return { sessionNumber, position: row.position, first: last - records.length + 1, last, records };
}

/** The last sequence of a session in `events` or in its stored state; null if the session does not exist. */
function lastStored(database: Database, sessionNumber: number): number | null {
  const row = database
    .query<{ last: number }, [number, number, number]>(
      `SELECT max(ifnull(json_extract(state, '$.sequence'), 0),
         ifnull((SELECT max(id) FROM events WHERE id > ? AND id < ?), 0) & 0xffffffff) AS last
       FROM sessions WHERE number = ?`,
    )
    .get(eventId(sessionNumber, 0), endOfEvents(sessionNumber), sessionNumber);
  return row?.last ?? null;
}
