/** Reads and copies whole files of a repository, up to a limit and without leaving the root. */
import { closeSync, openSync, readSync, utimesSync, writeSync } from "node:fs";
import { codeOf } from "../failure.ts";
import { locate } from "../files/place.ts";

import { type OpenFile, openFile } from "../files/read.ts";
import type { Root } from "../files/root.ts";
import { pause } from "../slices.ts";

const pieceBytes = 1024 * 1024;

/** Returns null if the file does not exist or is larger than `maxBytes`. */
export function readText(root: Root, path: string, maxBytes: number): string | null {
  using file = openIn(root, path);
  if (!file || file.size > maxBytes) return null;
  const bytes = Buffer.alloc(file.size);
  return bytes.toString("utf8", 0, readSync(file.descriptor, bytes));
}

/**
 * Returns false if the file does not exist or is larger than `maxBytes`. The copy has the time of the original, rounded
 * down: git treats files that are not older than the index as changed until it has compared them.
 */
export async function copyFile(root: Root, path: string, target: string, maxBytes: number): Promise<boolean> {
  using file = openIn(root, path);
  if (!file || file.size > maxBytes) return false;
  const copy = openSync(target, "wx", 0o600);
  try {
    const piece = Buffer.alloc(Math.min(pieceBytes, file.size));
    for (let position = 0; position < file.size; ) {
      const length = readSync(file.descriptor, piece, 0, piece.length, position);
      if (length === 0) break;
      writeSync(copy, piece, 0, length);
      position += length;
      await pause();
    }
  } finally {
    closeSync(copy);
  }
  const seconds = Math.floor(file.modified.getTime() / 1000);
  utimesSync(target, seconds, seconds);
  return true;
}

function openIn(root: Root, path: string): OpenFile | null {
  try {
    using place = locate(root, path, { follow: true });
    return openFile(place);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
}
