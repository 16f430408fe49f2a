/**
 * Reads archives as streams: tar, tar.gz and zip. One entry is read at a time and only a slice of it is in memory, for
 * archives of any size.
 */
import { Readable, type Transform } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { ProblemError } from "@sandbox-agent/schema";
import type { UnzipFile } from "fflate";
import { createTarDecoder } from "modern-tar";
import { messageOf } from "../../failure.ts";
import type { ArchiveEntry } from "./entry.ts";
import { type ArchiveLimits, ArchiveMeter } from "./limits.ts";

type Bytes = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Archives are read, and unpacked, in pieces of this size. */
const chunkSize = 64 * 1024;
/** The usual compression in zip archives. */
const deflate = 8;

/** The entries of a tar archive, compressed or not. The unread rest of an entry is skipped. */
export async function* tarEntries(
  archive: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveEntry> {
  const meter = new ArchiveMeter(limits);
  const entries = streamOf(counted(decompressed(slices(archive)), meter)).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  const reader = entries.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(unreadable);
      if (done) return;
      meter.entry(value.header.name);
      const chunks = contentOf(value.body);
      yield { header: value.header, chunks };
      for await (const _ of chunks);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The entries of a zip archive, in the order of its local headers. */
export async function* zipEntries(
  archive: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveEntry> {
  const { Unzip, UnzipPassThrough } = await import("fflate");
  const meter = new ArchiveMeter(limits);
  const source = slices(archive);
  /** Parsed from the last slice: an entry, a stored piece of its content, or null at its end. */
  const found: (UnzipFile | Uint8Array<ArrayBuffer> | null)[] = [];
  const unzip = new Unzip();
  unzip.register(
    class extends UnzipPassThrough {
      static override compression = deflate;
    },
  );
  unzip.onfile = (file) => {
    found.push(file);
    file.ondata = (error, piece, isLast) => {
      if (error) throw error;
      found.push(new Uint8Array(piece));
      if (isLast) found.push(null);
    };
    file.start();
  };
  async function next(): Promise<UnzipFile | Uint8Array<ArrayBuffer> | null | undefined> {
    while (found.length === 0) {
      const { value, done } = await source.next();
      if (done) return undefined;
      unzip.push(value);
    }
    return found.shift();
  }
  async function* stored(): Bytes {
    for (let piece = await next(); piece !== null; piece = await next()) {
      if (!(piece instanceof Uint8Array)) throw new Error("it ends in the middle of an entry");
      yield piece;
    }
  }
  for (let file = await next().catch(unreadable); file !== undefined; file = await next().catch(unreadable)) {
    if (file === null || file instanceof Uint8Array) throw new Error("the content of an entry was left over");
    const { name, compression } = file;
    meter.entry(name);
    const type = name.endsWith("/") ? "directory" : "file";
    const rest = stored();
    const content = compression === deflate ? through(createInflateRaw({ chunkSize }), rest) : rest;
    const chunks = contentOf(streamOf(counted(content, meter)));
    yield { header: { name, type, size: 0 }, chunks };
    for await (const _ of chunks);
    for await (const _ of rest);
  }
}

/** Zip archives start with these two bytes. */
export function isZip([first, second]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b;
}

async function* contentOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch(unreadable);
    if (done) return;
    yield value;
  }
}

/** Errors in the archive are the client's; errors of the connection are passed on. */
function unreadable(error: unknown): never {
  if (error instanceof ProblemError || (error instanceof Error && error.name === "AbortError")) throw error;
  throw new ProblemError("invalid_request", `the archive is invalid or incomplete: ${messageOf(error)}`);
}

/** Gzip is detected by its first two bytes, because clients send varying content types. */
async function* decompressed(source: Bytes): Bytes {
  let head = new Uint8Array();
  for (let next = await source.next(); !next.done; next = await source.next()) {
    head = new Uint8Array(Buffer.concat([head, next.value]));
    if (head.length >= 2) break;
  }
  const whole = joined(head, source);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* through(createGunzip({ chunkSize }), whole);
  else yield* whole;
}

async function* joined(head: Uint8Array<ArrayBuffer>, rest: Bytes): Bytes {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* through(transform: Transform, source: Bytes): Bytes {
  const input = Readable.from(source);
  input.on("error", (error) => transform.destroy(error));
  input.pipe(transform);
  try {
    for await (const chunk of transform) yield new Uint8Array(chunk);
  } finally {
    input.destroy();
    transform.destroy();
  }
}

async function* slices(archive: AsyncIterable<Uint8Array>): Bytes {
  for await (const chunk of archive)
    for (let start = 0; start < chunk.length; start += chunkSize)
      yield new Uint8Array(chunk.subarray(start, start + chunkSize));
}

async function* counted(source: Bytes, meter: ArchiveMeter): Bytes {
  for await (const chunk of source) {
    meter.count(chunk.length);
    yield chunk;
  }
}

function streamOf(source: Bytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await source.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
