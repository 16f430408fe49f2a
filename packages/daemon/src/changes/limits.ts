/** Which directories are watched and stored in checkpoints, and the limits for them. */
import { homedir, tmpdir } from "node:os";
import { resolve, sep } from "node:path";

export interface Limits {
  /** A directory with more files than this is not watched. */
  files: number;
  directories: number;
  /** Files larger than this are watched, but not stored in checkpoints. */
  fileBytes: number;
  /** All files of a checkpoint together. */
  totalBytes: number;
}

export const defaultLimits: Limits = {
  files: 50_000,
  directories: 10_000,
  fileBytes: 10 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
};

/** Never scanned: output and caches of tools, and the directories of version control. */
export const excludedNames: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".cache",
  ".next",
  ".nuxt",
  ".turbo",
  ".DS_Store",
]);

/** The reason why a directory is not watched, or null. A home directory is never watched as a whole. */
export function whyUnwatched(directory: string, dataDir: string | null): string | null {
  const inside = directory.endsWith(sep) ? directory : directory + sep;
  const isAbove = (path: string) => (resolve(path) + sep).startsWith(inside);
  if (directory === dataDir) return `${directory} is the data directory of the daemon`;
  if (isAbove(process.env.HOME || homedir())) return `${directory} is or contains a home directory`;
  if (isAbove(tmpdir())) return `${directory} is or contains the system's temporary directory`;
  return null;
}
