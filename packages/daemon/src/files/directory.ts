/**
 * Directories held open. A path may lead to something else at each call; a directory held open stays the same, even when
 * it is renamed or replaced. On Linux `/proc/self/fd/<n>/name` addresses a name in it, as `openat` does.
 */
import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";

export interface Directory extends Disposable {
  /** Its real path, for messages. */
  path: string;
  /** The path for system calls. Must not be used after the directory is disposed. */
  at: string;
}

/** On other systems a directory is its path, so it may be replaced between a check and a use. */
export const canHoldDirectories = existsSync("/proc/self/fd");

/** Linux only, so the runtime has no constant for it. Opens without read access: search permission is enough. */
const O_PATH = 0o10000000;
const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Fails unless the path is a directory; symbolic links are not followed. */
export function openDirectory(at: string, path: string): Directory {
  if (!canHoldDirectories) return checkedPath(at, path);
  const descriptor = openSync(at, flags);
  return { path, at: `/proc/self/fd/${descriptor}`, [Symbol.dispose]: () => closeSync(descriptor) };
}

/** A second, independent handle on the same directory. */
export function reopen({ at, path }: Directory): Directory {
  return openDirectory(`${at}/.`, path);
}

function checkedPath(at: string, path: string): Directory {
  if (!lstatSync(at).isDirectory()) throw Object.assign(new Error(`not a directory: ${path}`), { code: "ENOTDIR" });
  return { path, at, [Symbol.dispose]: () => {} };
}
