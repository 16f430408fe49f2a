/**
 * Directories held open. A path names whatever lies there at the moment of each call; a directory held open stays the
 * same one, whoever renames or replaces what. On Linux `/proc/self/fd/<n>/name` addresses a name in it, as `openat` does.
 */
import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";

export interface Directory extends Disposable {
  /** Where it really is, for people. */
  path: string;
  /** What system calls are given instead. Must not be used once the directory is disposed of. */
  at: string;
}

/** Elsewhere a directory is its path, and what is checked may be another than what is used. */
export const canHoldDirectories = existsSync("/proc/self/fd");

/** Linux only, and therefore not among the constants of the runtime: opens without reading, so that search is enough. */
const O_PATH = 0o10000000;
const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Fails unless a directory is there; a symbolic link to one is none. */
export function openDirectory(at: string, path: string): Directory {
  if (!canHoldDirectories) return checkedPath(at, path);
  const descriptor = openSync(at, flags);
  return { path, at: `/proc/self/fd/${descriptor}`, [Symbol.dispose]: () => closeSync(descriptor) };
}

/** The same directory once more, with a life of its own. */
export function reopen({ at, path }: Directory): Directory {
  return openDirectory(`${at}/.`, path);
}

function checkedPath(at: string, path: string): Directory {
  if (!lstatSync(at).isDirectory()) throw Object.assign(new Error(`not a directory: ${path}`), { code: "ENOTDIR" });
  return { path, at, [Symbol.dispose]: () => {} };
}
