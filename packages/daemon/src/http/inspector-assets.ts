/** The built files of the inspector. All are read at once, because files of two builds do not fit together. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export type Assets = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The executable embeds the directory (`scripts/release/binary.ts`). */
const directory = join(import.meta.dirname, Bun.isStandaloneExecutable ? "dist" : "../../../inspector/dist");

/** By path relative to the inspector; null while it is not built. */
export function readAssets(): Assets | null {
  const nameOf = (path: string) => relative(directory, path).replaceAll(sep, "/");
  const assets = new Map(filesBelow(directory).map((path) => [nameOf(path), new Uint8Array(readFileSync(path))]));
  return assets.has("index.html") ? assets : null;
}

function filesBelow(place: string): string[] {
  try {
    return readdirSync(place, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
