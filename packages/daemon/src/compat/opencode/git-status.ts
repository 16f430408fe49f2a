/** Status and branch of the client's repository, in OpenCode's form. An unusable repository counts as none. */
import { ProblemError } from "@sandbox-agent/schema";
import { codeOf } from "../../failure.ts";
import { locate } from "../../files/place.ts";
import type { Root } from "../../files/root.ts";
import { readHead } from "../../git/refs.ts";
import { findRepository, kindOf, UnusableRepository } from "../../git/repository.ts";
import { GitError } from "../../git/run-git.ts";
import { changedFiles } from "../../git/status.ts";
import type { FileStatus } from "./wire.ts";

const statuses = { created: "added", deleted: "deleted", modified: "modified" } as const;

/** Called with the reason why a repository is not used. */
export type OnUnusable = (directory: string, reason: string) => void;

/** Concurrent requests for a directory share one result. */
export function statusOf(root: Root, directory: string, onUnusable: OnUnusable): Promise<FileStatus[]> {
  const ofRoot = running.get(root) ?? new Map<string, Promise<FileStatus[]>>();
  running.set(root, ofRoot);
  const shared =
    ofRoot.get(directory) ?? readStatus(root, directory, onUnusable).finally(() => void ofRoot.delete(directory));
  ofRoot.set(directory, shared);
  return shared;
}

const running = new WeakMap<Root, Map<string, Promise<FileStatus[]>>>();

async function readStatus(root: Root, directory: string, onUnusable: OnUnusable): Promise<FileStatus[]> {
  const files = await unlessUnusable(directory, onUnusable, () => changedFiles(root, directory));
  return (files ?? []).map(({ path, kind, additions, deletions }) => ({
    path,
    added: additions,
    removed: deletions,
    status: statuses[kind],
  }));
}

/** Empty when HEAD is detached. */
export async function branchOf(root: Root, directory: string, onUnusable: OnUnusable): Promise<{ branch?: string }> {
  const branch = await unlessUnusable(directory, onUnusable, () => {
    if (kindOf(root, directory) !== "directory") return null;
    using place = locate(root, directory, { follow: true });
    const repository = findRepository(root, place.path);
    return repository && readHead(root, repository).branch;
  });
  return branch ? { branch } : {};
}

async function unlessUnusable<Result>(
  directory: string,
  onUnusable: OnUnusable,
  read: () => Result | Promise<Result>,
): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isOfRepository = error instanceof UnusableRepository || error instanceof GitError;
    // A path that leads out of the root, or a file that cannot be opened.
    const isOfFile = error instanceof ProblemError || codeOf(error) !== null;
    if (!isOfRepository && !isOfFile) throw error;
    onUnusable(directory, error.message);
    return null;
  }
}
