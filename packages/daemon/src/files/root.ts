/** The files that requests can access: all, or those below one directory. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { canHoldDirectories, type Directory, openDirectory, reopen } from "./directory.ts";
import { locate, namesIn } from "./place.ts";

export interface Root {
  path: string;
  open(): Directory;
  /** The names from the root to an absolute path. */
  namesOf(path: string): string[];
  /** The names of the parent of the directory with these names. */
  parentOf(names: string[], path: string): string[];
}

/** The whole file system, or everything below `fsRoot`. */
export function openRoot(fsRoot: string | null): Root {
  if (fsRoot === null) return rootAt(["/"], () => openDirectory("/", "/"));
  if (!canHoldDirectories) throw new Error("--fs-root needs Linux with /proc: elsewhere it could not be relied on");
  const path = realDirectory(fsRoot);
  // The operator chooses the path of the root, so its links are followed; programs inside cannot change them.
  return rootAt([path, resolve(fsRoot)], () => openDirectory(path, path));
}

/** A directory as a root of its own, inside the other root. Its links are resolved once; programs inside cannot change them. */
export function openRootBelow(outer: Root, directory: string): Root {
  if (!canHoldDirectories)
    throw new ProblemError("permission_denied", "tokens limited to sessions can access files only on Linux with /proc");
  using place = locate(outer, directory, { follow: true });
  const path = place.path;
  return rootAt([path, resolve(directory)], () => openDirectory(path, path));
}

/** A directory as a root of its own, while it is held open. */
export function rootOf(directory: Directory): Root {
  return rootAt([directory.path], () => reopen(directory));
}

function rootAt([path, ...aliases]: [string, ...string[]], open: () => Directory): Root {
  const prefixes = [path, ...aliases].map(namesIn);
  return {
    path,
    open,
    namesOf(absolute) {
      const names = namesIn(absolute);
      const prefix = prefixes.find((prefix) => prefix.every((name, index) => names[index] === name));
      if (prefix) return names.slice(prefix.length);
      throw outside(absolute, path);
    },
    parentOf(names, absolute) {
      // The root is its own parent, as in any file system.
      if (names.length === 0 && path !== "/") throw outside(absolute, path);
      return names.slice(0, -1);
    },
  };
}

function realDirectory(path: string): string {
  try {
    const real = realpathSync(path);
    openDirectory(real, real)[Symbol.dispose]();
    return real;
  } catch (cause) {
    throw new Error(`--fs-root ${path} is not a directory that can be opened`, { cause });
  }
}

function outside(path: string, root: string): ProblemError {
  return new ProblemError("permission_denied", `${path} leads out of ${root}; only paths below it can be accessed`, {
    details: { path, root },
  });
}
