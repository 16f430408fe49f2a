/**
 * Imports the files in which versions up to 0.1.0 stored the newest events (`events.tail-a` and `-b`). They contain events if
 * such a version was killed. A file is a sequence of frames: a header with position, session, first sequence, number of records
 * and checksum, then two lines for each record.
 */
import type { Database } from "bun:sqlite";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LogRecord } from "./encode.ts";
import { eventId, rowOf } from "./event-rows.ts";

interface Frame {
  position: number;
  /** The id of the last record. */
  id: number;
  records: Pick<LogRecord, "text" | "raw">[];
}

/** `Recent` skips events that are already stored, so a crash between the import and the removal of the files is harmless. */
export function importTailFiles(database: Database, databaseFile: string): void {
  const files = ["a", "b"]
    .map((name) => join(databaseFile, "..", `events.tail-${name}`))
    .filter((file) => existsSync(file));
  if (files.length === 0) return;
  const insert = database.query("INSERT OR IGNORE INTO recent (position, id, event, raw) VALUES (?, ?, ?, ?)");
  database
    .transaction(() => {
      for (const { position, id, records } of files.flatMap(framesIn)) {
        const { event, raw } = rowOf(id, records);
        insert.run(position, id, event, raw);
      }
    })
    .immediate();
  for (const file of files) rmSync(file);
}

/** The frames of a file, up to its end, an incomplete frame, or older frames that were not overwritten. */
function framesIn(file: string): Frame[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const frames: Frame[] = [];
  let at = 0;
  for (let frame = frameAt(lines, at); frame; frame = frameAt(lines, at)) {
    if (frame.position <= (frames.at(-1)?.position ?? 0)) break;
    frames.push(frame);
    at += 1 + 2 * frame.records.length;
  }
  return frames;
}

/** Null if there is no complete frame. */
function frameAt(lines: readonly string[], at: number): Frame | null {
  const header = lines[at]?.match(/^(\d+) (\d+) (\d+) (\d+) (\d+)$/);
  if (!header) return null;
  const field = (index: number) => Number(header[index]);
  const count = field(4);
  const content = lines.slice(at + 1, at + 1 + 2 * count);
  if (Bun.hash.crc32(`${content.join("\n")}\n`) !== field(5)) return null;
  const records = Array.from({ length: count }, (_, index) => ({
    text: content[2 * index] ?? "",
    raw: content[2 * index + 1] || null,
  }));
  return { position: field(1), id: eventId(field(2), field(3) + count - 1), records };
}
