/** Keeps the beginning and the end of a process's stderr, to report why it failed. */
import type { StderrExcerpt } from "@sandbox-agent/schema";
import { LineSplitter } from "./lines.ts";

const headLines = 20;
const tailLines = 50;
const maxLineBytes = 2000;

export class StderrKeeper {
  readonly #splitter = new LineSplitter({ maxBytes: maxLineBytes, keptBytes: maxLineBytes });
  readonly #head: string[] = [];
  readonly #tail: string[] = [];
  #total = 0;

  async read(stream: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of stream) this.#add(this.#splitter.push(chunk));
    this.#add(this.#splitter.finish());
  }

  excerpt(): StderrExcerpt {
    const kept = this.#head.length + this.#tail.length;
    return {
      head: this.#head.join("\n"),
      tail: this.#tail.length > 0 ? this.#tail.join("\n") : null,
      truncated: kept < this.#total,
      total_lines: this.#total,
    };
  }

  lastLine(): string {
    return this.#tail.at(-1) ?? this.#head.at(-1) ?? "";
  }

  #add(lines: readonly string[]): void {
    for (const line of lines) {
      this.#total += 1;
      if (this.#head.length < headLines) this.#head.push(line);
      else this.#tail.push(line);
      if (this.#tail.length > tailLines) this.#tail.shift();
    }
  }
}
