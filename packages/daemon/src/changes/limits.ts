/** Which directories are watched and kept in checkpoints, and how much of them. */
import { homedir, tmpdir } from "node:os";
import { resolve, sep } from "node:path";

export interface Limits {
  /** More files than this are too many to keep an eye on. */
  files: number;
  directories: number;
  /** Files larger than this are watched, but are no part of checkpoints. */
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

/** Never looked into: what tools produce or download, and the stores of version control. */
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

/** Why a directory is left alone altogether, or null. Whoever works in a home directory does not mean all of it. */
export function whyUnwatched(directory: string, dataDir: string | null): string | null {
  const inside = directory.endsWith(sep) ? directory : directory + sep;
  const isAbove = (path: string) => (resolve(path) + sep).startsWith(inside);
  if (directory === dataDir) return `${directory} is the data directory of the daemon`;
  if (isAbove(process.env.HOME || homedir())) return `${directory} is or holds a home directory`;
  if (isAbove(tmpdir())) return `${directory} is or holds the system's temporary directory`;
  return null;
}
