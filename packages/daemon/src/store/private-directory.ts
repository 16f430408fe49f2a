/**
 * Makes the data directory private to its user: events, attachments and checkpoints contain what agents have read and
 * written. Earlier versions left it readable by others. Its own mode and that of its entries change at the start; deeper
 * files follow in the background (`restrict-tree.ts`).
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

export const privateDirectoryMode = 0o700;
export const privateFileMode = 0o600;

/** All names that daemons use in the data directory. */
const ownNames =
  /^(?:(?:events\.db|lock)(?:-wal|-shm|-journal)?|events\.tail-[ab]|(?:token|(?:agents|registry)\.json)(?:\..*)?|agents|attachments|audit|bin|checkpoints|daemon|logs|processes|skills|terminals)$/;
/** Names that are unlikely to belong to other programs, or that a daemon empties anyway. */
const distinctiveNames =
  /^(?:(?:events\.db|lock)(?:-wal|-shm|-journal)?|events\.tail-[ab]|token|(?:agents|registry)\.json|attachments|audit|checkpoints|processes|terminals)$/;
/** Names that operating systems create in directories. */
const harmlessNames = /^(?:lost\+found|\.DS_Store|\.nfs.*)$/;

export interface ProtectedDirectory {
  /** What could not be protected, with a remedy; null if everything is. */
  warning: string | null;
  /** Paths that were readable by others; files below them may still be. */
  opened: string[];
}

/** Creates the directory if it does not exist. `isOwn`: it belongs to sandbox-agent, whatever it contains. */
export function protectDirectory(directory: string, isOwn: boolean): ProtectedDirectory {
  const before = statSync(directory, { throwIfNoEntry: false });
  if (!before) mkdirSync(directory, { recursive: true, mode: privateDirectoryMode });
  if (!before || !isOpenToOthers(before.mode)) return { warning: null, opened: [] };
  const names = readdirSync(directory);
  const foreign = names.find((name) => !ownNames.test(name) && !harmlessNames.test(name));
  const isOurs = before.uid === process.getuid?.() && (isOwn || foreign === undefined);
  if (isOurs) {
    chmodSync(directory, privateDirectoryMode);
    return { warning: null, opened: restricted(directory, names, ownNames) };
  }
  const reason =
    foreign === undefined ? "belongs to another user" : `contains files of other programs, such as ${foreign}`;
  return {
    warning: `${resolve(directory)} can be read by other users and ${reason}, so its permissions were not changed; choose a separate directory with --data-dir`,
    // Without a database there has been no run, so the files belong to other programs.
    opened: names.includes("events.db") ? restricted(directory, names, distinctiveNames) : [],
  };
}

/** Runs before the database is opened, because SQLite gives its -wal and -shm files the mode of the database. */
function restricted(directory: string, names: readonly string[], ours: RegExp): string[] {
  const paths = names.filter((name) => ours.test(name)).map((name) => join(directory, name));
  for (const path of paths) {
    // The -wal and -shm files may disappear at any time.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && isOpenToOthers(stats.mode) && stats.uid === process.getuid?.()) chmodSync(path, stats.mode & 0o700);
  }
  return paths;
}

/** Whether other users have any permission. Links are ignored, because their mode means nothing. */
export function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0 && (mode & 0o170000) !== 0o120000;
}
