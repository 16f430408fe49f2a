/** Writes programs and scripts of ours that other programs run. */
import { chmodSync, renameSync, writeFileSync } from "node:fs";

/** Replaces the file atomically, because another process may be running it. */
export function placeFile(path: string, text: string, mode: number): void {
  const fresh = `${path}.${crypto.randomUUID()}`;
  writeFileSync(fresh, text, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}

/** The text quoted for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
