/** Reads files: the ETag, and any range as a stream of equal pieces. */
import { closeSync, constants, fstatSync, openSync, read } from "node:fs";
import { promisify } from "node:util";
import { ProblemError } from "@sandbox-agent/schema";
import { etagOf } from "./etag.ts";
import type { Place } from "./place.ts";

const readInto = promisify(read);

export interface OpenFile extends Disposable {
  descriptor: number;
  size: number;
  etag: string;
  modified: Date;
}

const pieceBytes = 256 * 1024;

/** Without O_NONBLOCK, opening a pipe blocks until a writer opens it. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function openFile({ at, path }: Pick<Place, "at" | "path">): OpenFile {
  const descriptor = openSync(at, flags);
  const close = () => closeSync(descriptor);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) throw new ProblemError("invalid_request", `${path} is not a file`, { details: { path } });
    return {
      descriptor,
      size: Number(stats.size),
      etag: etagOf(stats),
      modified: stats.mtime,
      [Symbol.dispose]: close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The bytes from `start` to `end`; fewer if the file has become shorter. */
export async function* piecesOf({ descriptor }: OpenFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let position = start; position < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - position));
    const { bytesRead } = await readInto(descriptor, piece, 0, piece.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
