/** All files below a directory that are not ignored, in order, each while its directory is held open. */
import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { Slice } from "../../slices.ts";
import { type Directory, openDirectory } from "../directory.ts";
import { isIgnored, type RuleChain, withOwnRules } from "../ignore-rules.ts";
import { childOf } from "../place.ts";

export interface FoundFile {
  /** Relative to the directory searched. */
  name: string;
  path: string;
  at: string;
  size: number;
}

export async function* filesBelow(
  directory: Directory,
  rules: RuleChain,
  prefix = "",
  slice = new Slice(),
): AsyncGenerator<FoundFile> {
  const here = withOwnRules(rules, directory);
  for (const name of (await readdir(directory.at).catch(() => [])).sort()) {
    if (name === ".git") continue;
    if (slice.isOver) await slice.next();
    const { path, at } = childOf(directory, name);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats?.isFile() && !isIgnored(here, directory.path, name, false))
      yield { name: prefix + name, path, at, size: stats.size };
    if (!stats?.isDirectory() || isIgnored(here, directory.path, name, true)) continue;
    using child = enter(at, path);
    if (child) yield* filesBelow(child, here, `${prefix}${name}/`, slice);
  }
}

/** Null if it is not a directory any more, or not readable. */
function enter(at: string, path: string): Directory | null {
  try {
    return openDirectory(at, path);
  } catch {
    return null;
  }
}
