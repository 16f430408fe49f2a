/** The rows of sessions: how each was created, its last stored state, and the idempotency keys of its messages. */
import type { Database } from "bun:sqlite";
import type { CreateSessionRequest, SessionState } from "@sandbox-agent/schema";
import { ProblemError } from "@sandbox-agent/schema/problem";
import { guarded } from "./database.ts";
import { type EventRow, endOfEvents, eventId, maxSessionNumber, recordsIn, rowsOf } from "./event-rows.ts";

export interface SessionRow {
  number: number;
  id: string;
  spec: CreateSessionRequest;
  state: SessionState;
  /** Whether that state is unfinished. There may then be later events that it does not include. */
  open: boolean;
  firstSequence: number;
  createdAt: number;
  updatedAt: number;
}

/** A message with an Idempotency-Key. */
export interface KeyedMessage {
  key: string;
  fingerprint: string;
  messageId: string;
  /** The session's sequence when the message was accepted. Its events come after it. */
  afterSequence: number;
  /** Sent to the running turn, so it starts no turn itself. */
  steered: boolean;
}

type Row = Omit<SessionRow, "spec" | "state" | "open"> & { spec: string; state: string; open: number };
const columns =
  "number, id, spec, state, open, first_sequence AS firstSequence, created_at AS createdAt, updated_at AS updatedAt";
type KeyRow = Omit<KeyedMessage, "steered"> & { steered: number };

/** Filters a list of sessions. */
export interface SessionFilter {
  agent?: string | undefined;
  /** As an absolute path. */
  directory?: string | undefined;
}

/** Session rows read by one statement. */
const listBatch = 250;
/** Event rows deleted by one statement. They can be large. */
const deleteBatch = 250;

/** Whether the last run left any session unfinished. */
export function hasUnfinished(database: Database): boolean {
  return database.query("SELECT 1 FROM sessions WHERE open = 1 LIMIT 1").get() !== null;
}

export class SessionTable {
  #lastNumber: number;

  constructor(private readonly database: Database) {
    const row = database.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'sessions'").get();
    this.#lastNumber = row?.seq ?? 0;
  }

  /** A number for a session that is about to be stored. Numbers are never used twice. */
  nextNumber(): number {
    if (this.#lastNumber >= maxSessionNumber)
      throw new ProblemError(
        "storage_unavailable",
        `this data directory has reached its limit of ${maxSessionNumber} sessions; choose another --data-dir`,
      );
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /** Runs in the transaction that stores the first event and the state. */
  insert({ number, id, spec, createdAt }: Pick<SessionRow, "number" | "id" | "spec" | "createdAt">): void {
    this.database
      .query(
        "INSERT INTO sessions (number, id, spec, state, first_sequence, created_at, updated_at, open) VALUES (?, ?, ?, '{}', 1, ?, ?, 0)",
      )
      .run(number, id, JSON.stringify(spec), createdAt, createdAt);
  }

  find(id: string): SessionRow | null {
    return guarded(() => {
      const row = this.database.query<Row, [string]>(`SELECT ${columns} FROM sessions WHERE id = ?`).get(id);
      return row && sessionRow(row);
    });
  }

  idOf(number: number): string | null {
    return guarded(() => {
      const row = this.database.query<{ id: string }, [number]>("SELECT id FROM sessions WHERE number = ?").get(number);
      return row?.id ?? null;
    });
  }

  /**
   * Part of the sessions with numbers below `before`, newest first, and the `before` that continues the list; null at its
   * end. A filter makes the part smaller and does not scan further rows.
   */
  listBefore(before: number, filter: SessionFilter): { ids: { number: number; id: string }[]; next: number | null } {
    return guarded(() => {
      const oldest = this.database
        .query<{ number: number }, [number, number]>(
          "SELECT number FROM sessions WHERE number < ? ORDER BY number DESC LIMIT 1 OFFSET ?",
        )
        .get(before, listBatch - 1);
      const ids = this.database
        .query<{ number: number; id: string }, [number, number, string | null, string | null]>(
          `SELECT number, id FROM sessions WHERE number < ?1 AND number >= ?2
             AND (?3 IS NULL OR json_extract(spec, '$.agent') = ?3)
             AND (?4 IS NULL OR json_extract(spec, '$.directory') = ?4) ORDER BY number DESC`,
        )
        .all(before, oldest?.number ?? 0, filter.agent ?? null, filter.directory ?? null);
      return { ids, next: oldest?.number ?? null };
    });
  }

  /** Sessions whose stored state is unfinished, and those with the given numbers. */
  unfinished(also: readonly number[]): SessionRow[] {
    return guarded(() =>
      this.database
        .query<Row, [string]>(
          `SELECT ${columns} FROM sessions WHERE open = 1
           UNION SELECT ${columns} FROM sessions WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number`,
        )
        .all(JSON.stringify(also))
        .map(sessionRow),
    );
  }

  idleSince(time: number): { number: number; id: string }[] {
    return guarded(() =>
      this.database
        .query<{ number: number; id: string }, [number]>(
          "SELECT number, id FROM sessions WHERE open = 0 AND updated_at < ?",
        )
        .all(time),
    );
  }

  /** Idle sessions with more events than that, and the first sequence each of them keeps. */
  longerThan(events: number): { number: number; id: string; firstKept: number }[] {
    return guarded(() =>
      this.database
        .query<{ number: number; id: string; firstKept: number }, [number]>(
          `SELECT number, id, json_extract(state, '$.sequence') - ?1 + 1 AS firstKept FROM sessions
           WHERE open = 0 AND firstKept > first_sequence`,
        )
        .all(events),
    );
  }

  /** Deletes the row of a session with its keys and checkpoints in one transaction. Its events are deleted later, in steps. */
  delete(number: number): void {
    guarded(() =>
      this.database.transaction(() => {
        this.database.query("DELETE FROM sessions WHERE number = ?").run(number);
        this.database.query("DELETE FROM messages WHERE session = ?").run(number);
        this.database.query("DELETE FROM checkpoints WHERE session = ?").run(number);
      })(),
    );
  }

  /** Deletes some events of a session before a sequence. Returns true if more are left. */
  deleteEventsBefore(number: number, sequence: number): boolean {
    return guarded(() => {
      const { changes } = this.database
        .query("DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id > ? AND id < ? ORDER BY id LIMIT ?)")
        .run(eventId(number, 0), eventId(number, sequence), deleteBatch);
      if (changes === deleteBatch) return true;
      this.#shortenRow(number, sequence);
      return false;
    });
  }

  /** Removes the events before a sequence from the row that contains it. */
  #shortenRow(number: number, sequence: number): void {
    const row = this.database
      .query<EventRow, [number, number]>("SELECT * FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 1")
      .get(eventId(number, sequence), endOfEvents(number));
    const [rest] = row ? rowsOf(number, recordsIn(row, number, sequence - 1)) : [];
    if (!rest) return;
    this.database.query("UPDATE events SET event = ?, raw = ? WHERE id = ?").run(rest.event, rest.raw, rest.id);
  }

  setFirstSequence(number: number, sequence: number): void {
    guarded(() => this.database.query("UPDATE sessions SET first_sequence = ? WHERE number = ?").run(sequence, number));
  }

  /** Sessions without a row that still have events, because a crash interrupted their deletion. */
  orphanedEvents(): number[] {
    return guarded(() =>
      this.database
        .query<{ session: number }, []>(
          "SELECT DISTINCT session FROM commits WHERE session NOT IN (SELECT number FROM sessions)",
        )
        .all()
        .map(({ session }) => session),
    );
  }

  /**
   * Deletes the commits of a session that end before a sequence. The newest commit of all sessions is kept, because the next
   * position continues from it.
   */
  deleteCommitsBefore(number: number, sequence: number): void {
    guarded(() =>
      this.database
        .query("DELETE FROM commits WHERE session = ? AND last < ? AND position < (SELECT max(position) FROM commits)")
        .run(number, sequence),
    );
  }

  findMessage(sessionNumber: number, key: string): KeyedMessage | null {
    return guarded(() => {
      const row = this.database
        .query<KeyRow, [number, string]>(
          `SELECT key, fingerprint, message_id AS messageId, after_sequence AS afterSequence, steered
           FROM messages WHERE session = ? AND key = ?`,
        )
        .get(sessionNumber, key);
      return row && { ...row, steered: row.steered === 1 };
    });
  }

  /** Runs in the transaction that stores the message's first event. */
  insertMessage(sessionNumber: number, message: KeyedMessage): void {
    const { key, fingerprint, messageId, afterSequence, steered } = message;
    this.database
      .query(
        "INSERT INTO messages (session, key, fingerprint, message_id, after_sequence, steered, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(sessionNumber, key, fingerprint, messageId, afterSequence, steered ? 1 : 0, Date.now());
  }

  deleteMessagesBefore(time: number): void {
    guarded(() => this.database.query("DELETE FROM messages WHERE created_at < ?").run(time));
  }
}

function sessionRow(row: Row): SessionRow {
  return { ...row, spec: JSON.parse(row.spec), state: JSON.parse(row.state), open: row.open === 1 };
}
