/** The files of a directory that differ from the last commit of its repository. */
import { utimesSync } from "node:fs";
import type { DiffFile } from "@sandbox-agent/schema";
import { parseSummary } from "../changes/shadow.ts";
import { join } from "../files/place.ts";
import type { Root } from "../files/root.ts";
import { readHead } from "./refs.ts";
import { findRepository, type Repository, repositoryAt } from "./repository.ts";
import type { Git, GitOutput } from "./run-git.ts";
import { type RepositoryView, viewRepository } from "./view.ts";

export type ChangedFile = Pick<DiffFile, "path" | "additions" | "deletions"> & {
  kind: "created" | "deleted" | "modified";
};

const gitlink = "160000";
const maxSubmodules = 256;
/** The ids of the empty tree, which git knows without an object. */
const emptyTrees = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/**
 * Paths are relative to the directory; without a repository there are none. Lines of untracked files are not counted, because
 * there may be any number of files of any size. Throws UnusableRepository, GitError, or a problem if a path is outside the root.
 */
export async function changedFiles(root: Root, directory: string): Promise<ChangedFile[]> {
  const repository = findRepository(root, directory);
  if (!repository) return [];
  using view = await viewRepository(root, repository);
  const { git } = view;
  const base = readHead(root, repository).commit ?? (await emptyTree(git));
  const comparison = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-abbrev", "-z"];
  const work = [...comparison, "--ignore-submodules=all", "--raw"];
  const [compared, staged, untracked] = await Promise.all([
    git(["diff", ...work, "--numstat", base, "--"]).catch(() => withoutContent(git, [...work, base, "--"])),
    git(["diff-index", ...comparison, "--cached", "--ignore-submodules=none", "--raw", base, "--"]),
    git(["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  const files = new Map(parseSummary(compared.text).map((file): [string, ChangedFile] => [file.path, changed(file)]));
  const inIndex = parseRaw(staged.text);
  await withoutUnchangedFiltered(view, files, inIndex);
  for (const file of changedSubmodules(root, repository, view, inIndex)) files.set(file.path, file);
  for (const path of entriesOf(untracked.text)) files.set(path, { path, kind: "created", additions: 0, deletions: 0 });
  return [...files.values()].flatMap((file) => below(repository.workTree, directory, file));
}

/** Lines cannot be counted if a partial clone lacks content, because nothing is fetched. */
async function withoutContent(git: Git, args: readonly string[]): Promise<GitOutput> {
  // Exits with an error if files have changed, after it has updated the index.
  await git(["update-index", "-q", "--refresh", "--ignore-submodules"]).catch(() => {});
  return git(["diff-index", ...args]);
}

function changed({ path, kind, additions, deletions }: DiffFile): ChangedFile {
  return { path, kind: kind === "renamed" ? "modified" : kind, additions, deletions };
}

async function emptyTree(git: Git): Promise<string> {
  const { text } = await git(["rev-parse", "--show-object-format"]);
  return text.trim() === "sha256" ? emptyTrees[64] : emptyTrees[40];
}

/**
 * Filters such as Git LFS do not run, so the filtered content of a file is not known. Such a file counts as changed if its
 * size or time differs from the index, without a number of lines.
 */
async function withoutUnchangedFiltered(
  { git, gitDirectory }: RepositoryView,
  files: Map<string, ChangedFile>,
  staged: readonly RawEntry[],
): Promise<void> {
  const modified = [...files.values()].filter(({ kind }) => kind === "modified");
  if (modified.length === 0) return;
  const input = modified.map(({ path }) => `${path}\0`);
  const attributes = entriesOf((await git(["check-attr", "-z", "--stdin", "filter"], { input })).text);
  const filtered = modified.filter((_, index) => !/^(unspecified|unset)$/.test(attributes[index * 3 + 2] ?? "unset"));
  if (filtered.length === 0) return;
  const touched = await touchedFiles(git, gitDirectory);
  const inIndex = new Set(staged.map(({ path }) => path));
  for (const { path } of filtered) {
    if (touched.has(path) || inIndex.has(path)) files.set(path, { path, kind: "modified", additions: 0, deletions: 0 });
    else files.delete(path);
  }
}

/** With an index that is newer than every file, git compares only size and time. */
async function touchedFiles(git: Git, gitDirectory: string): Promise<Set<string>> {
  const index = join(gitDirectory, "index");
  const later = Date.now() / 1000 + 3600;
  utimesSync(index, later, later);
  const lenient = ["-c", "core.trustctime=false", "-c", "core.checkStat=minimal"];
  const { text } = await git([...lenient, "diff-files", "--ignore-submodules=all", "--name-only", "-z"]);
  return new Set(entriesOf(text));
}

/** Reads the commit of each submodule. Changes inside submodules are not listed, because git would have to run there. */
function changedSubmodules(
  root: Root,
  { workTree }: Repository,
  { submodules }: RepositoryView,
  staged: readonly RawEntry[],
): ChangedFile[] {
  const moved = submodules.slice(0, maxSubmodules).filter(({ path, commit }) => {
    const checkedOut = checkedOutAt(root, join(workTree, path));
    return checkedOut !== null && checkedOut !== commit;
  });
  return [
    ...moved.map(({ path }): ChangedFile => ({ path, kind: "modified", additions: 0, deletions: 0 })),
    ...staged
      .filter(({ modes }) => modes.includes(gitlink))
      .map(({ path, kind }): ChangedFile => ({ path, kind, additions: 0, deletions: 0 })),
  ];
}

function checkedOutAt(root: Root, directory: string): string | null {
  try {
    const repository = repositoryAt(root, directory);
    return repository && readHead(root, repository).commit;
  } catch {
    return null;
  }
}

interface RawEntry {
  path: string;
  kind: ChangedFile["kind"];
  modes: string[];
}

/** `:<mode> <mode> <id> <id> <status>`, then the path. */
function parseRaw(text: string): RawEntry[] {
  const fields = entriesOf(text);
  return fields.flatMap((head, index): RawEntry[] => {
    const [before, after, , , status] = head.slice(1).split(" ");
    if (index % 2 === 1 || !before || !after) return [];
    const kind = status === "A" ? "created" : status === "D" ? "deleted" : "modified";
    return [{ path: fields[index + 1] ?? "", kind, modes: [before, after] }];
  });
}

function below(workTree: string, directory: string, file: ChangedFile): ChangedFile[] {
  const path = join(workTree, file.path);
  const prefix = join(directory, "");
  return path.startsWith(prefix) ? [{ ...file, path: path.slice(prefix.length) }] : [];
}

function entriesOf(text: string): string[] {
  return text.split("\0").slice(0, -1);
}
