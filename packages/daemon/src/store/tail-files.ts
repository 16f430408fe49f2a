/**
 * Imports the files in which versions up to 0.1.0 kept the newest events (`events.tail-a` and `-b`). They hold something when
 * such a version was killed. A file is a sequence of frames: a header with position, session, first sequence, number of records
 * and checksum, then two lines for each record.
 */
import type { Database } from "bun:sqlite";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Batch, eventId, rowOf } from "./event-rows.ts";

/** `Recent` skips what the database has already, so a crash between the import and the removal of the files is harmless. */
export function importTailFiles(database: Database, databaseFile: string): void {
  const files = ["a", "b"]
    .map((name) => join(databaseFile, "..", `events.tail-${name}`))
    .filter((file) => existsSync(file));
  if (files.length === 0) return;
  const insert = database.query("INSERT OR IGNORE INTO recent (position, id, event, raw) VALUES (?, ?, ?, ?)");
  database
    .transaction(() => {
      for (const { position, sessionNumber, last, records } of files.flatMap(batchesIn)) {
        const { id, event, raw } = rowOf(eventId(sessionNumber, last), records);
        insert.run(position, id, event, raw);
      }
    })
    .immediate();
  for (const file of files) rmSync(file);
}

/** The batches of a file, up to where it ends, breaks off, or continues with older ones that were not overwritten. */
function batchesIn(file: string): Batch[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const batches: Batch[] = [];
  let at = 0;
  for (let batch = batchAt(lines, at); batch; batch = batchAt(lines, at)) {
    if (batch.position <= (batches.at(-1)?.position ?? 0)) break;
    batches.push(batch);
    at += 1 + 2 * batch.records.length;
  }
  return batches;
}

/** Null where there is none, or only a part of one. */
function batchAt(lines: readonly string[], at: number): Batch | null {
  const header = lines[at]?.match(/^(\d+) (\d+) (\d+) (\d+) (\d+)$/);
  if (!header) return null;
  const [position = 0, sessionNumber = 0, first = 0, count = 0, checksum = 0] = header.slice(1).map(Number);
  const content = lines.slice(at + 1, at + 1 + 2 * count);
  if (Bun.hash.crc32(`${content.join("\n")}\n`) !== checksum) return null;
  const records = Array.from({ length: count }, (_, index) => ({
    sequence: first + index,
    text: content[2 * index] ?? "",
    raw: content[2 * index + 1] || null,
  }));
  return { sessionNumber, position, first, last: first + count - 1, records };
}
