/**
 * Limits for archives. Bytes and entries are counted while the archive streams, so that one that unpacks to far more than
 * its own size is rejected before it fills memory or disk.
 */
import { ProblemError } from "@sandbox-agent/schema";

export interface ArchiveLimits {
  /** Bytes after decompression, headers included. */
  bytes: number;
  entries: number;
}

/** The longest path of an entry, and the deepest. */
const [maxPathBytes, maxDepth] = [4096, 128];

export class ArchiveMeter {
  #bytes = 0;
  #entries = 0;

  constructor(private readonly limits: ArchiveLimits) {}

  /** Counts decompressed bytes. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.limits.bytes) throw tooLarge(`unpacks to more than ${this.limits.bytes} bytes`);
  }

  entry(name: string): void {
    this.#entries += 1;
    if (this.#entries > this.limits.entries) throw tooLarge(`has more than ${this.limits.entries} entries`);
    if (Buffer.byteLength(name) > maxPathBytes) throw tooLarge(`has a path of more than ${maxPathBytes} bytes`);
    if (name.split("/").length > maxDepth) throw tooLarge(`has a path of more than ${maxDepth} directories`);
  }
}

function tooLarge(what: string): ProblemError {
  return new ProblemError("payload_too_large", `the archive ${what}`);
}
