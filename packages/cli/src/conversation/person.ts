/** The person at the terminal: answers what is asked, and otherwise says something. */
import { createInterface } from "node:readline";

export interface Person {
  /** The next line as the answer; null when there will be none: the input has ended, or the signal says so. */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>;
  /** Lines that nobody asked for. */
  onLine(listener: (line: string) => void): void;
  onInterrupt(listener: () => void): void;
  /** Resolves when the input has ended. */
  readonly gone: Promise<void>;
  /** Shows that a message may be typed. */
  invite(): void;
  close(): void;
}

/** Null where nobody can be asked, because input or output is no terminal. */
export function personAtTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Person | null {
  return input.isTTY && output.isTTY ? createPerson(input, output) : null;
}

export function createPerson(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Person {
  const reader = createInterface({ input, output, prompt: "> " });
  const gone = Promise.withResolvers<void>();
  let over = false;
  let answer: ((line: string | null) => void) | null = null;
  let listener: (line: string) => void = () => {};

  reader.on("line", (line) => {
    const waiting = answer;
    answer = null;
    if (waiting) waiting(line);
    else listener(line);
  });
  reader.on("close", () => {
    over = true;
    answer?.(null);
    gone.resolve();
  });

  return {
    gone: gone.promise,
    ask(prompt, signal) {
      if (over || signal.aborted) return Promise.resolve(null);
      output.write(prompt);
      return new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener("abort", () => {
          if (answer !== resolve) return;
          answer = null;
          output.write("\n");
          resolve(null);
        });
      });
    },
    onLine(next) {
      listener = next;
    },
    onInterrupt(act) {
      reader.on("SIGINT", act);
    },
    invite() {
      if (!over) reader.prompt();
    },
    close() {
      reader.close();
    },
  };
}
