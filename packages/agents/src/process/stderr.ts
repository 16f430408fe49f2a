/** Keeps the beginning and the end of what a process writes to stderr: enough to say what went wrong. */
import type { StderrExcerpt } from "@sandbox-agent/schema";

const headLines = 20;
const tailLines = 50;
const maxLineLength = 2000;

export class StderrKeeper {
  readonly #head: string[] = [];
  readonly #tail: string[] = [];
  #total = 0;

  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.#total += 1;
      const kept = line.slice(0, maxLineLength);
      if (this.#head.length < headLines) this.#head.push(kept);
      else this.#tail.push(kept);
      if (this.#tail.length > tailLines) this.#tail.shift();
    }
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

  /** The last words, for a message. */
  lastLine(): string {
    return this.#tail.at(-1) ?? this.#head.at(-1) ?? "";
  }
}
