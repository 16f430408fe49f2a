/** Splits a byte stream into lines. Works on whole chunks; the unfinished tail is kept as bytes until its line ends. */
const newline = 10;

export const maxLineBytes = 256 * 1024 * 1024;

export class LineSplitter {
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  readonly #decoder = new TextDecoder();

  /** The lines that this chunk completes, without their ends. Empty lines are left out. */
  push(chunk: Uint8Array): string[] {
    const end = chunk.lastIndexOf(newline);
    if (end === -1) {
      this.#keep(chunk);
      return [];
    }
    const whole =
      this.#tail.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...this.#tail, chunk.subarray(0, end)]);
    if (this.#tailBytes > 0) {
      this.#tail = [];
      this.#tailBytes = 0;
    }
    if (end + 1 < chunk.byteLength) this.#keep(chunk.slice(end + 1));
    return this.#lines(whole);
  }

  /** The last line, if the stream ended without a line end. */
  finish(): string[] {
    const rest = Buffer.concat(this.#tail);
    this.#tail = [];
    return this.#lines(rest);
  }

  #keep(bytes: Uint8Array): void {
    this.#tailBytes += bytes.byteLength;
    if (this.#tailBytes > maxLineBytes) throw new Error(`a line is longer than ${maxLineBytes} bytes`);
    this.#tail.push(bytes);
  }

  #lines(bytes: Uint8Array): string[] {
    const lines = this.#decoder.decode(bytes).split("\n");
    return lines.some(isUnclean) ? lines.map(withoutReturn).filter((line) => line !== "") : lines;
  }
}

function isUnclean(line: string): boolean {
  return line === "" || line.endsWith("\r");
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
