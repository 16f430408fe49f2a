/**
 * A file of the tail: a row of frames, each a header and the lines of one batch. Once the database has them all, the next is
 * written over the first, so older ones may lie behind the last. They are told from it by their positions, which only grow.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Batch } from "./tail.ts";

const utf8 = new TextEncoder();
/** As the system would tell it, had it not found room for the beginning. */
const shortWrite = Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });

export class TailFile {
  readonly #descriptor: number;
  /** Where the next frame goes. */
  #end = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  get size(): number {
    return this.#end;
  }

  /** Throws when the disk refuses. What there is of it then is written over by the next. */
  write(batches: readonly Batch[]): void {
    let frames = "";
    for (const batch of batches) frames += frameOf(batch);
    const bytes = utf8.encode(frames);
    const written = writeSync(this.#descriptor, bytes, 0, bytes.byteLength, this.#end);
    if (written < bytes.byteLength) throw shortWrite;
    this.#end += written;
  }

  /** What the last run has left. The next goes behind it. */
  read(): Batch[] {
    const lines = readFileSync(this.#descriptor, "utf8").split("\n");
    const batches: Batch[] = [];
    let at = 0;
    for (let batch = batchAt(lines, at); batch; batch = batchAt(lines, at)) {
      if (batch.position <= (batches.at(-1)?.position ?? 0)) break;
      batches.push(batch);
      at += 1 + 2 * batch.records.length;
    }
    const frames = lines.slice(0, at).map((line) => `${line}\n`);
    this.#end = Buffer.byteLength(frames.join(""));
    return batches;
  }

  rewind(): void {
    this.#end = 0;
  }

  empty(): void {
    ftruncateSync(this.#descriptor);
    this.rewind();
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The JSON of a record has no line ends. */
function frameOf({ position, sessionNumber, first, records }: Batch): string {
  let lines = "";
  for (const { text, raw } of records) lines += `${text}\n${raw ?? ""}\n`;
  return `${position} ${sessionNumber} ${first} ${records.length} ${Bun.hash.crc32(lines)}\n${lines}`;
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
