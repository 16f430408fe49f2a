/**
 * The data directory is for its user alone: events, attachments and checkpoints hold what agents have read and written. A
 * directory that earlier versions left readable for others is closed at the start, which is enough where it holds nothing but
 * ours; what lies deeper follows in the background.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

export const privateDirectoryMode = 0o700;
export const privateFileMode = 0o600;

/** Everything that daemons keep there. */
const ownNames =
  /^(?:(?:events\.db|lock)(?:-wal|-shm|-journal)?|events\.tail-[ab]|(?:token|(?:agents|registry)\.json)(?:\..*)?|agents|attachments|audit|bin|checkpoints|daemon|logs|processes|skills|terminals)$/;
/** Those that nobody else calls so, or that a daemon empties anyway. */
const unmistakableNames =
  /^(?:(?:events\.db|lock)(?:-wal|-shm|-journal)?|events\.tail-[ab]|token|(?:agents|registry)\.json|attachments|audit|checkpoints|processes|terminals)$/;
/** What systems put into directories. */
const harmlessNames = /^(?:lost\+found|\.DS_Store|\.nfs.*)$/;

export interface ProtectedDirectory {
  /** What could not be protected, and what to do about it; null when all is well. */
  warning: string | null;
  /** What was open to others, and may be further down. */
  opened: string[];
}

/** Makes the directory if it is not there. `isOwn`: it is nobody else's, whatever lies in it. */
export function protectDirectory(directory: string, isOwn: boolean): ProtectedDirectory {
  const before = statSync(directory, { throwIfNoEntry: false });
  if (!before) mkdirSync(directory, { recursive: true, mode: privateDirectoryMode });
  if (!before || !isOpen(before.mode)) return { warning: null, opened: [] };
  const names = readdirSync(directory);
  const foreign = names.find((name) => !ownNames.test(name) && !harmlessNames.test(name));
  const isOurs = before.uid === process.getuid?.() && (isOwn || foreign === undefined);
  if (isOurs) {
    chmodSync(directory, privateDirectoryMode);
    return { warning: null, opened: closed(directory, names, ownNames) };
  }
  const reason =
    foreign === undefined ? "belongs to another user" : `holds files that are not ours, such as ${foreign}`;
  return {
    warning: `${resolve(directory)} can be read by other users and ${reason}, so its permissions were left as they are; choose a --data-dir of its own`,
    // Before the first run, nothing in it is ours.
    opened: names.includes("events.db") ? closed(directory, names, unmistakableNames) : [],
  };
}

/** Before anything is opened: the files beside a database get its mode. */
function closed(directory: string, names: readonly string[], ours: RegExp): string[] {
  const paths = names.filter((name) => ours.test(name)).map((name) => join(directory, name));
  for (const path of paths) {
    // Files beside a database come and go.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && isOpen(stats.mode) && stats.uid === process.getuid?.()) chmodSync(path, stats.mode & 0o700);
  }
  return paths;
}

/** Whether others have any right. Links always say so. */
export function isOpen(mode: number): boolean {
  return (mode & 0o077) !== 0 && (mode & 0o170000) !== 0o120000;
}
