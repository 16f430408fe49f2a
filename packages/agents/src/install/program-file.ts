/** Programs and scripts of ours that are written out for others to run. */
import { chmodSync, renameSync, writeFileSync } from "node:fs";

/** Puts the file in its place in one step: another process may be running it right now. */
export function placeFile(path: string, text: string, mode: number): void {
  const fresh = `${path}.${crypto.randomUUID()}`;
  writeFileSync(fresh, text, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}

/** The text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
