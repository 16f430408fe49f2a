/** All files below a directory that are worth searching, in order, each while its directory is held open. */
import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { Slice } from "../../slices.ts";
import { type Directory, openDirectory } from "../directory.ts";
import { childOf } from "../place.ts";
import type { Rules } from "./gitignore.ts";

export interface FoundFile {
  /** Relative to the directory searched. */
  name: string;
  path: string;
  at: string;
  size: number;
}

export async function* filesBelow(
  directory: Directory,
  rules: Rules,
  prefix = "",
  slice = new Slice(),
): AsyncGenerator<FoundFile> {
  const here = await rules.with(directory, prefix);
  for (const name of (await readdir(directory.at).catch(() => [])).sort()) {
    if (name === ".git") continue;
    if (slice.isOver) await slice.next();
    const { path, at } = childOf(directory, name);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats?.isFile() && !here.excludes(prefix + name)) yield { name: prefix + name, path, at, size: stats.size };
    if (!stats?.isDirectory() || here.excludes(`${prefix}${name}/`)) continue;
    using child = enter(at, path);
    if (child) yield* filesBelow(child, here, `${prefix}${name}/`, slice);
  }
}

/** Null if it is none any more, or not ours to see. */
function enter(at: string, path: string): Directory | null {
  try {
    return openDirectory(at, path);
  } catch {
    return null;
  }
}
