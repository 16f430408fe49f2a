/** Lists a directory, and stats one place. */
import { lstatSync, type Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import type { FileEntry, FileStat } from "@sandbox-agent/schema";
import { type Directory, openDirectory } from "./directory.ts";
import { childOf, locate, type Place } from "./place.ts";
import type { Root } from "./root.ts";

/** How many entries are read concurrently: more would only queue for the runtime's threads. */
const batchSize = 64;

export async function listEntries(root: Root, place: Place): Promise<FileEntry[]> {
  using directory = openDirectory(place.at, place.path);
  const names = (await readdir(directory.at)).sort();
  const entries: FileEntry[] = [];
  for (let start = 0; start < names.length; start += batchSize) {
    const batch = names.slice(start, start + batchSize).map((name) => entryOf(root, directory, name));
    entries.push(...(await Promise.all(batch)).filter((entry) => entry !== null));
  }
  return entries;
}

export function statOf(place: Place): FileStat {
  return { path: place.path, ...described(lstatSync(place.at)) };
}

/** Null if it was deleted meanwhile. */
async function entryOf(root: Root, directory: Directory, name: string): Promise<FileEntry | null> {
  const { path, at } = childOf(directory, name);
  const stats = await lstat(at).catch(() => null);
  if (!stats) return null;
  if (!stats.isSymbolicLink()) return { name, path, ...described(stats) };
  const symlink = await readlink(at).catch(() => null);
  return symlink === null ? null : { name, path, ...(targetOf(root, path) ?? described(stats)), symlink };
}

/** The target of a link, if it exists and can be accessed. */
function targetOf(root: Root, path: string): ReturnType<typeof described> | null {
  try {
    using target = locate(root, path, { follow: true });
    return described(lstatSync(target.at));
  } catch {
    return null;
  }
}

function described(stats: Stats): Omit<FileStat, "path"> {
  const entryType = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
  return { entryType, size: stats.size, modified: stats.mtime.toISOString() };
}
