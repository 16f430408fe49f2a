/**
 * Reads a repository as data: where its parts are and which commit is checked out. No git process runs for it, and no path in
 * its files is followed outside the root.
 */
import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { openDirectory } from "../files/directory.ts";
import { join, locate } from "../files/place.ts";

import type { Root } from "../files/root.ts";
import { readText } from "./read-text.ts";

export interface Repository {
  /** The directory that contains `.git`. */
  workTree: string;
  /** What belongs to this work tree: HEAD and the index. */
  gitDirectory: string;
  /** What all work trees share: objects, branches, configuration. */
  commonDirectory: string;
}

/** A repository that is broken or not supported, with the reason. */
export class UnusableRepository extends Error {
  override name = "UnusableRepository";
}

const maxPointerBytes = 8 * 1024;

/** The repository that a directory is part of, or null. Throws UnusableRepository. */
export function findRepository(root: Root, directory: string): Repository | null {
  const names = root.namesOf(directory);
  for (let depth = names.length; depth >= 0; depth -= 1) {
    const found = repositoryAt(root, names.slice(0, depth).reduce(join, root.path));
    if (found) return found;
  }
  return null;
}

/** The repository whose work tree is this directory, or null. Throws UnusableRepository. */
export function repositoryAt(root: Root, workTree: string): Repository | null {
  const path = join(workTree, ".git");
  return orUnusable(path, () => {
    const kind = kindOf(root, path);
    if (kind === "missing") return null;
    const gitDirectory = kind === "file" ? pointedTo(root, path, /^gitdir: (.+?)\r?\n?$/s) : realDirectory(root, path);
    const found = openGitDirectory(root, workTree, gitDirectory);
    if (found || kind === "directory") return found;
    throw new UnusableRepository(`${path} points to ${gitDirectory}, which is not a git directory`);
  });
}

/** The bare repository at a path, or null. Throws UnusableRepository. */
export function bareRepositoryAt(root: Root, path: string): Repository | null {
  return orUnusable(path, () => openGitDirectory(root, path, realDirectory(root, path)));
}

function openGitDirectory(root: Root, workTree: string, gitDirectory: string): Repository | null {
  if (kindOf(root, join(gitDirectory, "HEAD")) === "missing") return null;
  const pointer = join(gitDirectory, "commondir");
  const commonDirectory =
    kindOf(root, pointer) === "missing" ? gitDirectory : pointedTo(root, pointer, /^(.+?)\r?\n?$/s);
  const isComplete = ["objects", "refs"].every((name) => kindOf(root, join(commonDirectory, name)) === "directory");
  return isComplete ? { workTree, gitDirectory, commonDirectory } : null;
}

/** The directory that a file points to, relative to the directory of the file. */
function pointedTo(root: Root, file: string, pattern: RegExp): string {
  const target = pattern.exec(readText(root, file, maxPointerBytes) ?? "")?.[1];
  if (!target || target.includes("\0")) throw new UnusableRepository(`${file} names no directory`);
  return realDirectory(root, resolve(dirname(file), target));
}

function realDirectory(root: Root, path: string): string {
  using place = locate(root, path, { follow: true });
  openDirectory(place.at, place.path)[Symbol.dispose]();
  return place.path;
}

export function kindOf(root: Root, path: string): "missing" | "file" | "directory" | "other" {
  try {
    using place = locate(root, path, { follow: true });
    const stats = lstatSync(place.at, { throwIfNoEntry: false });
    if (!stats) return "missing";
    if (stats.isDirectory()) return "directory";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return "missing";
    throw error;
  }
}

/** A path outside the root, or one that cannot be opened, makes the repository unusable. */
function orUnusable<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProblemError) throw new UnusableRepository(`${path} cannot be used: ${error.message}`);
    const code = codeOf(error);
    if (code !== null) throw new UnusableRepository(`${path} cannot be used: ${code}`);
    throw error;
  }
}
