/**
 * Gets the commit of a repository with skills. From another machine, git fetches only that commit into a git directory of
 * the daemon. A local repository is read in place, as data: git does not run inside it, so its configuration and hooks have
 * no effect.
 */
import { join } from "../files/place.ts";
import { openRoot } from "../files/root.ts";
import { checkedObjects } from "../git/objects.ts";
import { readText } from "../git/read-text.ts";
import { findCommit } from "../git/refs.ts";
import { bareRepositoryAt, kindOf, repositoryAt } from "../git/repository.ts";
import { GitError, gitWith, isolatedEnvironment, networkEnvironment, requireGit } from "../git/run-git.ts";
import { makeGitDirectory, settingsIn } from "../git/settings.ts";

export interface Fetched {
  /** The commit, or a tag of it. */
  id: string;
  /** Whether the commit was already known. Nothing was fetched then. */
  isKnown: boolean;
  /** The directory of the objects, if it is not in the git directory. */
  objects: string | null;
  settings: ReadonlyMap<string, string>;
}

const listMs = 30_000;
const fetchMs = 120_000;
const maxBytes = 4 * 1024 * 1024;
const maxConfigBytes = 1024 * 1024;
/** Limit for the fetched pack. */
const maxFileBytes = 256 * 1024 * 1024;
const fetchedRef = "refs/skills/fetched";

/** Fetches into the given git directory. Throws GitError. */
export async function fetchRemote(
  { url, protocols }: { url: string; protocols: readonly string[] },
  ref: string,
  known: string | null,
  gitDirectory: string,
): Promise<Fetched> {
  const program = requireGit("skills in a git repository need it");
  makeGitDirectory(gitDirectory);
  const env = networkEnvironment(gitDirectory, protocols);
  const git = gitWith({ program, cwd: gitDirectory, env, limitMs: fetchMs, maxBytes, maxFileBytes });
  let wanted = { id: ref, name: ref };
  if (!isId(ref)) {
    const listed = await git(["ls-remote", "--quiet", "--", url, ref], { limitMs: listMs });
    wanted = preferredRef(listed.text, ref);
  }
  if (wanted.id === known) return { id: known, isKnown: true, objects: null, settings: new Map() };
  const options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  await git(["fetch", ...options, "--", url, `+${wanted.name}:${fetchedRef}`]);
  const { text } = await git(["rev-parse", "--verify", fetchedRef]);
  return { id: text.trim(), isKnown: false, objects: null, settings: new Map() };
}

/** Throws GitError or UnusableRepository. */
export async function fetchLocal(
  path: string,
  ref: string,
  known: string | null,
  gitDirectory: string,
): Promise<Fetched> {
  const root = openRoot(null);
  if (kindOf(root, path) !== "directory") throw new GitError(`${path} is not a directory`);
  const repository = repositoryAt(root, path) ?? bareRepositoryAt(root, path);
  if (!repository) throw new GitError(`${path} is not a git repository`);
  const id = findCommit(root, repository, ref);
  if (id === null) throw noSuchRef(ref);
  const program = requireGit("skills in a git repository need it");
  makeGitDirectory(gitDirectory);
  const env = isolatedEnvironment(gitDirectory);
  const git = gitWith({ program, cwd: gitDirectory, env, limitMs: listMs, maxBytes });
  const config = readText(root, join(repository.commonDirectory, "config"), maxConfigBytes) ?? "";
  const all = await settingsIn(git, config);
  const settings = new Map([...all].filter(([name]) => name === "extensions.objectformat"));
  const objects = await checkedObjects(root, repository.commonDirectory);
  return { id, isKnown: id === known, objects, settings };
}

/** The ref that git itself would choose among several with the same ending. */
function preferredRef(listed: string, ref: string): { id: string; name: string } {
  const refs = new Map(
    listed.split("\n").map((line): [string, string] => [line.split("\t")[1] ?? "", line.split("\t")[0] ?? ""]),
  );
  for (const name of [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`]) {
    const id = refs.get(name);
    if (id !== undefined && isId(id)) return { id, name };
  }
  throw noSuchRef(ref);
}

function isId(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function noSuchRef(ref: string): GitError {
  return new GitError(ref === "HEAD" ? "it has no commit" : `it has no branch, tag or commit ${ref}`);
}
