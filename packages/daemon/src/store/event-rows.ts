/**
 * Rows of events. Records that are committed together share a row, so a burst needs few rows. The id of a row is that of its
 * last record. Texts are separated by newlines, which the JSON of a record never contains. Long texts are compressed: events
 * are so similar that compressing them costs less than writing them.
 */
import type { LogRecord } from "./encode.ts";

/** The events of one session that were stored together. */
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

export interface EventRow {
  id: number;
  event: StoredText;
  /** The native messages, one line per record, empty where there is none; null if no record has one. */
  raw: StoredText | null;
}

/** Plain text, or compressed with zstd. */
type StoredText = string | Uint8Array;

const sessionSpan = 2 ** 32;
/** Ids of higher session numbers would exceed the safe integers. */
export const maxSessionNumber = 2 ** 21 - 1;

/** The events of a session have ids between `eventId(number, 0)`, which no event has, and `endOfEvents(number)`. */
export function eventId(sessionNumber: number, sequence: number): number {
  return sessionNumber * sessionSpan + sequence;
}

export function endOfEvents(sessionNumber: number): number {
  return (sessionNumber + 1) * sessionSpan;
}

export function sessionNumberOf(id: number): number {
  return Math.floor(id / sessionSpan);
}

/** A row is full with this many records, or with the record that exceeds this many characters. */
const rowRecords = 250;
const rowCharacters = 64 * 1024;
/** A shorter text does not fill a database page, so compressing it saves nothing. */
const compressedCharacters = 4 * 1024;

/** The rows for consecutive records. */
export function rowsOf(sessionNumber: number, records: readonly LogRecord[]): EventRow[] {
  const rows: EventRow[] = [];
  let begin = 0;
  let end = 0;
  let characters = 0;
  for (const { sequence, text, raw } of records) {
    characters += text.length + (raw?.length ?? 0);
    end += 1;
    if (characters < rowCharacters && end - begin < rowRecords && end < records.length) continue;
    rows.push(rowOf(eventId(sessionNumber, sequence), records.slice(begin, end)));
    begin = end;
    characters = 0;
  }
  return rows;
}

/** One row for all records. */
export function rowOf(id: number, records: readonly Pick<LogRecord, "text" | "raw">[]): EventRow {
  const event = stored(records.map(({ text }) => text).join("\n"));
  const hasRaw = records.some(({ raw }) => raw !== null);
  return { id, event, raw: hasRaw ? stored(records.map(({ raw }) => raw ?? "").join("\n")) : null };
}

function stored(text: string): StoredText {
  return text.length < compressedCharacters ? text : Bun.zstdCompressSync(text, { level: 1 });
}

function linesOf(text: StoredText): string[] {
  return (typeof text === "string" ? text : Bun.zstdDecompressSync(text).toString()).split("\n");
}

/** The records of a row that come after a sequence. */
export function recordsIn(row: EventRow, sessionNumber: number, after: number): LogRecord[] {
  const texts = linesOf(row.event);
  const raws = row.raw && linesOf(row.raw);
  const first = row.id - eventId(sessionNumber, 0) - texts.length + 1;
  const seen = Math.max(0, after - first + 1);
  return texts.slice(seen).map((text, index) => ({
    sequence: first + seen + index,
    text,
    raw: raws?.[seen + index] || null,
  }));
}
