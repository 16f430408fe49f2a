/**
 * Splits a byte stream into lines. Works on whole chunks; the unfinished tail is kept as bytes until its line ends. A line
 * above the limit is cut to its beginning and the number of missing bytes, so that memory stays bounded and reading goes on.
 */
const newline = 10;

export interface LineLimit {
  /** Lines up to this size are not cut. */
  maxBytes: number;
  /** How much is kept of a longer one. */
  keptBytes: number;
}

/** Messages of agents contain whole files and images. */
const messageLimit: LineLimit = { maxBytes: 64 * 1024 * 1024, keptBytes: 4096 };

export class LineSplitter {
  readonly #limit: LineLimit;
  readonly #decoder = new TextDecoder();
  /** The kept bytes of the unfinished line. */
  #tail: Uint8Array[] = [];
  /** The length of that line so far, including dropped bytes. */
  #tailBytes = 0;

  constructor(limit: LineLimit = messageLimit) {
    this.#limit = limit;
  }

  /** The lines that this chunk completes, without line ends. Empty lines are left out. */
  push(chunk: Uint8Array): string[] {
    const end = chunk.lastIndexOf(newline);
    if (end === -1) {
      this.#keep(chunk);
      return [];
    }
    const lines = this.#complete(chunk.subarray(0, end));
    if (end + 1 < chunk.byteLength) this.#keep(chunk.slice(end + 1));
    return lines;
  }

  /** The last line, if the stream ended without a line end. */
  finish(): string[] {
    return this.#complete(new Uint8Array());
  }

  /** The unfinished line, completed by the first of these lines, and the others. */
  #complete(bytes: Uint8Array): string[] {
    if (this.#tail.length === 0) return this.#lines(bytes);
    const end = bytes.indexOf(newline);
    this.#keep(end === -1 ? bytes : bytes.subarray(0, end));
    const cutBytes = this.#isCut ? this.#tailBytes - this.#limit.keptBytes : 0;
    const line = Buffer.concat(this.#tail);
    this.#tail = [];
    this.#tailBytes = 0;
    const first = cutBytes > 0 ? [marked(this.#decoder.decode(line), cutBytes)] : this.#lines(line);
    return end === -1 ? first : [...first, ...this.#lines(bytes.subarray(end + 1))];
  }

  get #isCut(): boolean {
    return this.#tailBytes > this.#limit.maxBytes;
  }

  #keep(bytes: Uint8Array): void {
    const wasCut = this.#isCut;
    this.#tailBytes += bytes.byteLength;
    if (wasCut) return;
    this.#tail.push(bytes);
    if (this.#isCut) this.#tail = [Buffer.concat(this.#tail, this.#limit.keptBytes)];
  }

  #lines(bytes: Uint8Array): string[] {
    const lines = this.#decoder.decode(bytes).split("\n");
    const clean = lines.some(isUnclean) ? lines.map(withoutReturn).filter((line) => line !== "") : lines;
    return bytes.byteLength > this.#limit.maxBytes ? clean.map((line) => this.#cut(line)) : clean;
  }

  #cut(line: string): string {
    const { maxBytes, keptBytes } = this.#limit;
    if (line.length <= maxBytes) return line;
    const kept = line.slice(0, keptBytes);
    return marked(kept, Buffer.byteLength(line) - Buffer.byteLength(kept));
  }
}

/** Never valid JSON, so a cut message is not mistaken for a whole one. */
function marked(kept: string, cutBytes: number): string {
  return `${kept} [… ${cutBytes} more bytes]`;
}

function isUnclean(line: string): boolean {
  return line === "" || line.endsWith("\r");
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
