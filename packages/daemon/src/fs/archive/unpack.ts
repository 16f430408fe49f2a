/** Unpacks tar archives, compressed or not, as they come in. Nothing is written outside of the destination. */
import { ProblemError, type UploadResponse } from "@sandbox-agent/schema";
import { createTarDecoder } from "modern-tar";
import { type Directory, openDirectory } from "../directory.ts";
import { locate, makeDirectory } from "../place.ts";
import { type Root, rootOf } from "../root.ts";
import { type ArchiveEntry, writeEntry } from "./entry.ts";

const maxListed = 1024;

export async function unpack(root: Root, path: string, archive: ReadableStream<Uint8Array>): Promise<UploadResponse> {
  using destination = openDestination(root, path);
  const inside = rootOf(destination);
  const paths: string[] = [];
  let count = 0;
  for await (const entry of entriesOf(archive)) {
    const written = await writeEntry(root, inside, entry);
    if (written === null) continue;
    count += 1;
    if (count <= maxListed) paths.push(written);
  }
  return { paths, truncated: count > maxListed };
}

function openDestination(root: Root, path: string): Directory {
  using place = locate(root, path, { follow: true, create: true });
  if (place.name !== ".") makeDirectory(place.at);
  return openDirectory(place.at, place.path);
}

/** What is wrong with the archive is the client's fault; what is wrong with its connection is not. */
async function* entriesOf(archive: ReadableStream<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const entries = (await decompressed(archive)).pipeThrough(createTarDecoder({ strict: true }));
  const reader = entries.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(unreadable);
      if (done) return;
      yield { header: value.header, chunks: readable(value.body) };
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* readable(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch(unreadable);
    if (done) return;
    yield value;
  }
}

function unreadable(error: unknown): never {
  if (error instanceof Error && error.name === "AbortError") throw error;
  const cause = error instanceof Error ? error.message : String(error);
  throw new ProblemError("invalid_request", `the body is not a tar or tar.gz archive, or not all of it: ${cause}`);
}

/** Gzip is known by its first two bytes; what clients call it varies. */
async function decompressed(archive: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = archive.getReader();
  const head: Uint8Array[] = [];
  let size = 0;
  while (size < 2) {
    const { value, done } = await reader.read();
    if (done) break;
    head.push(value);
    size += value.byteLength;
  }
  const [first, second] = Buffer.concat(head);
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const chunk = head.shift() ?? (await reader.read()).value;
        if (chunk) controller.enqueue(new Uint8Array(chunk));
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return first === 0x1f && second === 0x8b ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}
