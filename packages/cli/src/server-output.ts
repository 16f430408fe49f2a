/**
 * What a server says while it goes on, whether anybody reads it or not. Written straight to the file descriptor: to set up
 * the streams of the runtime takes longer than the rest of a start.
 */
import { writeSync } from "node:fs";

export function tell(text: string): void {
  write(1, text);
}

export function warn(text: string): void {
  write(2, `warning: ${text}`);
}

function write(descriptor: number, text: string): void {
  try {
    writeSync(descriptor, `${text}\n`);
  } catch {
    // Nobody listens, or not fast enough.
  }
}
