/** What git knows of the repository that a directory lies in. Without one, nothing. */
import type { FileStatus } from "./wire.ts";

const patienceMs = 10_000;
const statuses: Record<string, FileStatus["status"]> = { A: "added", D: "deleted" };

export async function branchOf(directory: string): Promise<string | null> {
  const [branch = ""] = await git(directory, "branch", "--show-current");
  return branch.trim() || null;
}

/** Files that differ from the last commit. */
export async function changedFiles(directory: string): Promise<FileStatus[]> {
  const [names, counts, untracked] = await Promise.all([
    git(directory, "diff", "--relative", "--no-renames", "--name-status", "-z", "HEAD"),
    git(directory, "diff", "--relative", "--no-renames", "--numstat", "-z", "HEAD"),
    git(directory, "ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  const lines = new Map(counts.map(countOf));
  const tracked = names.flatMap((path, index): FileStatus[] => {
    if (index % 2 === 0) return [];
    const status = statuses[names[index - 1] ?? ""] ?? "modified";
    return [{ path, ...(lines.get(path) ?? { added: 0, removed: 0 }), status }];
  });
  // Lines of files that git does not know are not counted: there may be any number of any size.
  return [...tracked, ...untracked.map((path) => ({ path, added: 0, removed: 0, status: "added" as const }))];
}

/** `3\t1\tpath`; a dash stands for the lines of a binary file. */
function countOf(entry: string): [string, { added: number; removed: number }] {
  const [added = "", removed = "", ...path] = entry.split("\t");
  return [path.join("\t"), { added: Number(added) || 0, removed: Number(removed) || 0 }];
}

/** The entries of its output. Nothing the repository configures is run, and none of its locks are taken. */
async function git(directory: string, ...args: string[]): Promise<string[]> {
  if (!Bun.which("git")) return [];
  const run = Bun.spawn(["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", directory, ...args], {
    stderr: "ignore",
    timeout: patienceMs,
  });
  const text = await new Response(run.stdout).text();
  return (await run.exited) === 0 ? text.split("\0").filter((entry) => entry !== "") : [];
}
