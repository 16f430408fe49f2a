/** Trees of a directory's files in a shadow repository: stores, compares and restores them. */
import { accessSync, constants, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DiffFile, DiffResponse } from "@sandbox-agent/schema";
import type { Git } from "../git/run-git.ts";
import { Slice } from "../slices.ts";
import { openShadow } from "./git.ts";

const maxDiffBytes = 8 * 1024 * 1024;

/** Calls must not overlap, because they share an index. */
export type Shadow = Awaited<ReturnType<typeof createShadow>>;

export async function createShadow(gitDirectory: string, workTree: string, signal: AbortSignal) {
  const git = await openShadow(gitDirectory, workTree, signal);
  return {
    /** Updates the index for these paths and returns the tree. Paths that are not kept are removed from the index. */
    async update(paths: Iterable<string>, keeps: (path: string) => boolean): Promise<string> {
      const [kept, gone]: [string[], string[]] = [[], []];
      const slice = new Slice();
      for (const path of new Set(paths)) {
        if (slice.isOver) await slice.next();
        if (keeps(path) && isReadable(join(workTree, path))) kept.push(path);
        else gone.push(path);
      }
      if (gone.length > 0) await git(["update-index", "-z", "--index-info"], { input: gone.map(removal) });
      if (kept.length > 0) {
        const input = kept.map((path) => `${path}\0`);
        await git(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], { input });
      }
      return (await git(["write-tree"])).text.trim();
    },
    /** Paths in the index. */
    known: async () => listed((await git(["ls-files", "-z"])).text),
    diff: (from: string, to: string) => compare(git, from, to),
    /** Paths that are only in the second tree. */
    async added(from: string, to: string): Promise<string[]> {
      return listed((await git(["diff-tree", "-r", "-z", "--name-only", "--diff-filter=A", from, to])).text);
    },
    /** Sets the files and the index to a tree. */
    async checkOut(tree: string): Promise<void> {
      await git(["read-tree", "--reset", "-u", tree]);
    },
    /** Removes a damaged index. */
    reset: () => rmSync(join(gitDirectory, "index"), { force: true }),
  };
}

async function compare(git: Git, from: string, to: string): Promise<DiffResponse> {
  const options = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];
  const summary = await git([...options, "-z", "--raw", "--numstat", from, to]);
  const { text: diff, truncated } = await git([...options, "-p", from, to], { maxBytes: maxDiffBytes });
  return { files: parseSummary(summary.text), diff, truncated };
}

const kinds = { A: "created", D: "deleted", R: "renamed" } as const;

/** `--raw` and `--numstat` of the same files, one list after the other, fields separated by NUL. */
export function parseSummary(text: string): DiffFile[] {
  const fields = listed(text);
  const files: DiffFile[] = [];
  const byPath = new Map<string, DiffFile>();
  for (let index = 0; index < fields.length; ) {
    const head = fields[index++] ?? "";
    const status = /^:\d+ \d+ \S+ \S+ ([A-Z])/.exec(head)?.[1];
    if (status !== undefined) {
      const from = status === "R" ? fields[index++] : undefined;
      const path = fields[index++] ?? "";
      const kind = status === "A" || status === "D" || status === "R" ? kinds[status] : "modified";
      const file: DiffFile = {
        path,
        kind,
        ...(from !== undefined && { from }),
        additions: 0,
        deletions: 0,
        binary: false,
      };
      files.push(file);
      byPath.set(path, file);
      continue;
    }
    const [, additions = "", deletions = "", only = ""] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(head) ?? [];
    // A renamed file has an empty path here, followed by two fields with its paths.
    if (only === "") index += 1;
    const file = byPath.get(only === "" ? (fields[index++] ?? "") : only);
    if (!file) continue;
    if (additions === "-") file.binary = true;
    else Object.assign(file, { additions: Number(additions), deletions: Number(deletions) });
  }
  return files;
}

function listed(text: string): string[] {
  return text.split("\0").slice(0, -1);
}

function removal(path: string): string {
  return `0 ${"0".repeat(40)}\t${path}\0`;
}

/** A link can always be read, wherever it points. */
function isReadable(path: string): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
