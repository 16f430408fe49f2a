/** The files the inspector was built into. All of them are read at once: those of two builds do not fit together. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export type Assets = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** By path below the place of the inspector; null while it is not built. */
export function readAssets(): Assets | null {
  const directory = join(import.meta.dirname, "../../../inspector/dist");
  const assets = new Map(
    filesBelow(directory).map((path) => [relative(directory, path), new Uint8Array(readFileSync(path))]),
  );
  return assets.has("index.html") ? assets : null;
}

function filesBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
