/** Branches, tags and the commits they name, read from the files of a repository. */
import { join } from "../files/place.ts";
import type { Root } from "../files/root.ts";
import { readText } from "./read-text.ts";
import { type Repository, UnusableRepository } from "./repository.ts";

export interface Head {
  /** Null when a commit is checked out instead of a branch. */
  branch: string | null;
  /** Null as long as the branch has no commit. */
  commit: string | null;
}

const maxRefBytes = 4096;
const maxPackedBytes = 64 * 1024 * 1024;
/** The limit that git has. */
const maxSteps = 5;
/** These belong to one work tree, all others to the repository. */
const ownRefs = /^refs\/(bisect|worktree|rewritten)\//;

/** Throws UnusableRepository. */
export function readHead(root: Root, repository: Repository): Head {
  const text = readText(root, join(repository.gitDirectory, "HEAD"), maxRefBytes)?.trim() ?? "";
  // git writes this for programs that do not support reftable.
  if (text === "ref: refs/heads/.invalid")
    throw new UnusableRepository(
      `${repository.commonDirectory} stores its branches as reftable, which is not supported`,
    );
  const ref = refIn(text);
  if (ref === null) return { branch: null, commit: commitIn(text) };
  const branch = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
  return { branch, commit: resolveRef(root, repository, ref) };
}

/** The commit or tag for a name that a user gives: a branch, a tag, the full name of either, or an id. */
export function findCommit(root: Root, repository: Repository, name: string): string | null {
  if (name === "HEAD") return readHead(root, repository).commit;
  if (commitIn(name) !== null) return name;
  for (const ref of [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`]) {
    const commit = ref.startsWith("refs/") ? resolveRef(root, repository, ref) : null;
    if (commit !== null) return commit;
  }
  return null;
}

function resolveRef(root: Root, repository: Repository, name: string): string | null {
  for (let [ref, step] = [name, 0]; step < maxSteps && isRefName(ref); step += 1) {
    const home = ownRefs.test(ref) ? repository.gitDirectory : repository.commonDirectory;
    const text = readLoose(root, join(home, ref))?.trim();
    if (text === undefined) return packedRef(root, repository, ref);
    const next = refIn(text);
    if (next === null) return commitIn(text);
    ref = next;
  }
  return null;
}

/** Also null for a directory: `a/b` may be a file while `a` is packed. */
function readLoose(root: Root, path: string): string | null {
  try {
    return readText(root, path, maxRefBytes);
  } catch {
    return null;
  }
}

function packedRef(root: Root, { commonDirectory }: Repository, name: string): string | null {
  const text = readText(root, join(commonDirectory, "packed-refs"), maxPackedBytes) ?? "";
  const end = `\n${text}\n`.indexOf(` ${name}\n`);
  if (end === -1) return null;
  const start = `\n${text}`.lastIndexOf("\n", end) + 1;
  return commitIn(`\n${text}`.slice(start, end));
}

function refIn(text: string): string | null {
  const name = /^ref:\s*(\S+)$/.exec(text)?.[1];
  return name !== undefined && isRefName(name) ? name : null;
}

function commitIn(text: string): string | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

/** The rules of `git check-ref-format`, so that a name leads to no other file. */
export function isRefName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in a ref.
  if (!/^refs\/[^\x00-\x20\x7f~^:?*[\\]+$/.test(name)) return false;
  return !/\.\.|\/\/|\/\.|@\{|\/$|\.$|\.lock(\/|$)/.test(name);
}
