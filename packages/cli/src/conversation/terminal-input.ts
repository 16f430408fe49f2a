/** Input from the terminal: answers to questions, and messages. */
import { createInterface } from "node:readline";

export interface TerminalInput {
  /** Asks a question and returns the next line; null when the input has ended or the signal is aborted. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /** Called with lines that are not answers. */
  onLine(listener: (line: string) => void): void;
  onInterrupt(listener: () => void): void;
  /** Resolves when the input has ended. */
  readonly ended: Promise<void>;
  /** Shows the prompt. */
  prompt(): void;
  close(): void;
}

/** Null if input or output is not a terminal. */
export function interactiveInput(input: NodeJS.ReadStream, output: NodeJS.WriteStream): TerminalInput | null {
  return input.isTTY && output.isTTY ? createTerminalInput(input, output) : null;
}

export function createTerminalInput(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): TerminalInput {
  const reader = createInterface({ input, output, prompt: "> " });
  const ended = Promise.withResolvers<void>();
  let isClosed = false;
  let answer: ((line: string | null) => void) | null = null;
  let listener: (line: string) => void = () => {};

  reader.on("line", (line) => {
    const waiting = answer;
    answer = null;
    if (waiting) waiting(line);
    else listener(line);
  });
  reader.on("close", () => {
    isClosed = true;
    answer?.(null);
    ended.resolve();
  });

  return {
    ended: ended.promise,
    ask(question, signal) {
      if (isClosed || signal.aborted) return Promise.resolve(null);
      output.write(question);
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
    prompt() {
      if (!isClosed) reader.prompt();
    },
    close() {
      reader.close();
    },
  };
}
