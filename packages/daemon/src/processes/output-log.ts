/**
 * The output of a process or terminal: a ring of files, so that output of any size needs a limited amount of disk and no
 * memory. Readers have a position and read at their own pace; a reader that is too slow misses the oldest entries.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OutputStream } from "@sandbox-agent/schema";

/** `resize` entries contain `{cols, rows}`: a correct replay needs them in their place. */
export type EntryKind = OutputStream | "resize";

export interface LogEntry {
  sequence: number;
  kind: EntryKind;
  timestampMs: number;
  data: Uint8Array;
}

export interface LogListener {
  append(entry: LogEntry): void;
  /** No more output follows. */
  end(): void;
}

/** Output that can be read and followed. Sequences have no gaps. */
export interface OutputSource {
  /** The sequence of the newest entry. */
  readonly last: number;
  readonly ended: boolean;
  /** A page of the stored entries after a sequence; empty when there are none. */
  page(after: number): LogEntry[];
  /** How many bytes are stored after a sequence. */
  bytesAfter(sequence: number): number;
  subscribe(listener: LogListener): () => void;
}

interface Segment {
  path: string;
  first: number;
  /** Where each entry ends in the file. */
  ends: number[];
}

const kinds: readonly EntryKind[] = ["stdout", "stderr", "pty", "resize"];
const segmentCount = 8;
/** Limits the index of a log with very small entries. */
const maxEntriesPerSegment = 16_384;
/** Each entry starts with its kind (1 byte) and time (8 bytes). */
const headerBytes = 9;
const pageBytes = 256 * 1024;
const maxEntryBytes = 64 * 1024;
const minSegmentBytes = 4096;

export class OutputLog implements OutputSource {
  /** Called when storing fails: live readers get the output, later ones miss it. */
  onFailure: (error: unknown) => void = () => {};
  readonly #segmentBytes: number;
  readonly #segments: Segment[] = [];
  readonly #listeners = new Set<LogListener>();
  /** The newest segment, open for writing. */
  #file: number | null = null;
  #last = 0;
  #ended = false;

  constructor(
    private readonly directory: string,
    maxBytes: number,
  ) {
    this.#segmentBytes = Math.max(minSegmentBytes, Math.ceil(maxBytes / segmentCount));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  get last(): number {
    return this.#last;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(kind: EntryKind, data: Uint8Array): void {
    const size = Math.min(maxEntryBytes, this.#segmentBytes - headerBytes);
    for (let start = 0; start < data.length; start += size) this.#append(kind, data.subarray(start, start + size));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#closeFile();
    for (const listener of [...this.#listeners]) listener.end();
    this.#listeners.clear();
  }

  subscribe(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  page(after: number): LogEntry[] {
    const segment = this.#segments.find(({ first, ends }) => ends.length > 0 && first + ends.length > after + 1);
    if (!segment) return [];
    const from = Math.max(0, after + 1 - segment.first);
    const start = segment.ends[from - 1] ?? 0;
    const beyond = segment.ends.findIndex((end, index) => index > from && end - start > pageBytes);
    const ends = segment.ends.slice(from, beyond === -1 ? undefined : beyond);
    const bytes = this.#read(segment, start, (ends.at(-1) ?? start) - start);
    if (!bytes) {
      // The entry is lost, as if the ring had evicted it.
      this.#segments.splice(this.#segments.indexOf(segment), 1);
      return this.page(after);
    }
    return ends.map((end, index) =>
      decode(bytes, (ends[index - 1] ?? start) - start, end - start, segment.first + from + index),
    );
  }

  bytesAfter(sequence: number): number {
    return this.#segments.reduce((sum, { first, ends }) => {
      const all = ends.at(-1) ?? 0;
      const seen = ends[Math.min(sequence - first, ends.length - 1)] ?? 0;
      return sum + all - seen;
    }, 0);
  }

  /** Removes the files. */
  delete(): void {
    this.end();
    this.#segments.length = 0;
    rmSync(this.directory, { recursive: true, force: true });
  }

  #append(kind: EntryKind, data: Uint8Array): void {
    if (this.#ended) return;
    const entry = { sequence: ++this.#last, kind, timestampMs: Date.now(), data };
    try {
      this.#store(entry);
    } catch (error) {
      this.onFailure(error);
    }
    for (const listener of [...this.#listeners]) listener.append(entry);
  }

  /** Null if the file cannot be read. */
  #read({ path }: Segment, start: number, length: number): Buffer | null {
    const bytes = Buffer.alloc(length);
    try {
      const file = openSync(path, "r");
      try {
        return readSync(file, bytes, 0, length, start) === length ? bytes : null;
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.onFailure(error);
      return null;
    }
  }

  #store(entry: LogEntry): void {
    const bytes = encode(entry);
    const segment = this.#segmentFor(entry.sequence, bytes.length);
    const start = segment.ends.at(-1) ?? 0;
    const file = (this.#file ??= openSync(segment.path, "w", 0o600));
    // At an explicit offset, so that a write that fails halfway is overwritten by the next.
    for (let written = 0; written < bytes.length; )
      written += writeSync(file, bytes, written, bytes.length - written, start + written);
    segment.ends.push(start + bytes.length);
  }

  #segmentFor(sequence: number, size: number): Segment {
    const current = this.#segments.at(-1);
    const used = current?.ends.at(-1) ?? 0;
    const follows = current && current.first + current.ends.length === sequence;
    const hasRoom = used === 0 || used + size <= this.#segmentBytes;
    if (current && follows && hasRoom && current.ends.length < maxEntriesPerSegment) return current;
    this.#closeFile();
    // Deletes the oldest first, so that a full disk has space for the new segment.
    while (this.#segments.length >= segmentCount) {
      const oldest = this.#segments.shift();
      if (oldest) rmSync(oldest.path, { force: true });
    }
    const created = { path: join(this.directory, `${sequence}.log`), first: sequence, ends: [] };
    this.#segments.push(created);
    return created;
  }

  #closeFile(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** All stored entries, page by page. */
export function* pages(source: OutputSource, after = 0): Generator<LogEntry[]> {
  for (let page = source.page(after); ; page = source.page(after)) {
    const newest = page.at(-1);
    if (!newest) return;
    yield page;
    after = newest.sequence;
  }
}

/** Merges consecutive entries of one kind. */
export function joined(entries: readonly LogEntry[]): Pick<LogEntry, "kind" | "data">[] {
  const groups: { kind: LogEntry["kind"]; parts: Uint8Array[] }[] = [];
  for (const { kind, data } of entries) {
    const last = groups.at(-1);
    if (last && last.kind === kind && kind !== "resize") last.parts.push(data);
    else groups.push({ kind, parts: [data] });
  }
  return groups.map(({ kind, parts }) => ({
    kind,
    data: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
  }));
}

function encode({ kind, timestampMs, data }: LogEntry): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + data.length);
  bytes.writeUInt8(kinds.indexOf(kind), 0);
  bytes.writeDoubleLE(timestampMs, 1);
  bytes.set(data, headerBytes);
  return bytes;
}

function decode(bytes: Buffer, start: number, end: number, sequence: number): LogEntry {
  return {
    sequence,
    kind: kinds[bytes.readUInt8(start)] ?? "stdout",
    timestampMs: bytes.readDoubleLE(start + 1),
    data: bytes.subarray(start + headerBytes, end),
  };
}
