/**
 * The output of a server. Errors are ignored. It is written directly to the file descriptor, because setting up the streams of the
 * runtime takes longer than the rest of the start.
 */
import { writeSync } from "node:fs";

export function writeOutput(text: string): void {
  write(1, text);
}

export function warn(text: string): void {
  write(2, `warning: ${text}`);
}

function write(descriptor: number, text: string): void {
  try {
    writeSync(descriptor, `${text}\n`);
  } catch {
    // The output is closed, or a non-blocking pipe is full.
  }
}
