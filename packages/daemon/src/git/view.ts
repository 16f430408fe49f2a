/**
 * Runs git on a repository without the repository's configuration: with a temporary git directory that has a copy of the index
 * and of the ignore rules, and uses the objects and files of the repository. Hooks, filters, drivers, helpers, aliases and
 * includes have no effect, because git never reads the configuration that names them.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { openDirectory } from "../files/directory.ts";
import { join, locate } from "../files/place.ts";
import type { Root } from "../files/root.ts";
import { Slice } from "../slices.ts";
import { checkedObjects } from "./objects.ts";
import { copyFile, readText } from "./read-text.ts";
import { type Repository, UnusableRepository } from "./repository.ts";
import { type Git, type GitOptions, gitWith, isolatedEnvironment, requireGit } from "./run-git.ts";
import { makeGitDirectory, settingsIn, writeSettings } from "./settings.ts";

/** A submodule as recorded in the index. */
export interface Submodule {
  path: string;
  commit: string;
}

export interface RepositoryView extends Disposable {
  git: Git;
  submodules: readonly Submodule[];
  /** The temporary git directory. */
  gitDirectory: string;
}

const limits: Pick<GitOptions, "limitMs" | "maxBytes"> = { limitMs: 10_000, maxBytes: 32 * 1024 * 1024 };
const maxConfigBytes = 1024 * 1024;
const maxIndexBytes = 512 * 1024 * 1024;
const maxRulesBytes = 1024 * 1024;
const maxSharedIndexes = 16;
const gitlink = "160000";

/** Throws UnusableRepository, GitError, or a problem if a path is outside the root. */
export async function viewRepository(root: Root, repository: Repository): Promise<RepositoryView> {
  const program = requireGit("the state of a repository cannot be read without it");
  const gitDirectory = mkdtempSync(join(tmpdir(), "sandbox-agent-git-"));
  try {
    const { workTree, commonDirectory } = repository;
    const env = {
      ...isolatedEnvironment(gitDirectory),
      GIT_WORK_TREE: workTree,
      GIT_OBJECT_DIRECTORY: await checkedObjects(root, commonDirectory),
    };
    const git = gitWith({ program, cwd: gitDirectory, env, ...limits });
    makeGitDirectory(gitDirectory);
    const config = readText(root, join(commonDirectory, "config"), maxConfigBytes) ?? "";
    writeSettings(gitDirectory, await settingsIn(git, config), await excludesOfUser(program));
    await copyParts(root, repository, gitDirectory);
    const submodules = await readIndex(git, repository);
    return {
      git,
      submodules,
      gitDirectory,
      [Symbol.dispose]: () => rmSync(gitDirectory, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(gitDirectory, { recursive: true, force: true });
    throw error;
  }
}

async function copyParts(root: Root, repository: Repository, target: string): Promise<void> {
  const { gitDirectory, commonDirectory } = repository;
  for (const name of ["info/exclude", "info/attributes"])
    await copyFile(root, join(commonDirectory, name), join(target, name), maxRulesBytes);
  await copyFile(root, join(gitDirectory, "index"), join(target, "index"), maxIndexBytes);
  for (const name of sharedIndexes(root, gitDirectory))
    await copyFile(root, join(gitDirectory, name), join(target, name), maxIndexBytes);
}

/** An index may be split; the larger part is then in a separate file. */
function sharedIndexes(root: Root, gitDirectory: string): string[] {
  using place = locate(root, gitDirectory, { follow: true });
  using directory = openDirectory(place.at, place.path);
  const names = readdirSync(directory.at).filter((name) => /^sharedindex\.[0-9a-f]{40,64}$/.test(name));
  return names.slice(0, maxSharedIndexes);
}

/** git does not check the paths in an index: `../x` would be a file outside the work tree. */
async function readIndex(git: Git, { workTree }: Repository): Promise<Submodule[]> {
  const { text, truncated } = await git(["ls-files", "--stage", "-z"], { maxBytes: maxIndexBytes });
  if (truncated) throw new UnusableRepository(`the index of ${workTree} is too large`);
  const submodules: Submodule[] = [];
  const slice = new Slice();
  for (const [, mode, commit = "", path = ""] of text.matchAll(/(\d+) ([0-9a-f]+) \d\t([^\0]*)\0/g)) {
    if (slice.isOver) await slice.next();
    if (isOutside(path)) throw new UnusableRepository(`the index of ${workTree} has a path that points outside it`);
    if (mode === gitlink) submodules.push({ path, commit });
  }
  return submodules;
}

function isOutside(path: string): boolean {
  return /(^|\/)(\.\.?|\.git)?(\/|$)/i.test(path);
}

/** The file with the global ignore patterns of the daemon's user. */
async function excludesOfUser(program: string): Promise<string> {
  const { PATH = "", HOME = homedir(), XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
  const env = {
    PATH,
    HOME,
    LC_ALL: "C",
    GIT_DIR: "/dev/null",
    ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }),
    ...(GIT_CONFIG_GLOBAL && { GIT_CONFIG_GLOBAL }),
  };
  const git = gitWith({ program, cwd: "/", env, ...limits });
  const named = await git(["config", "--global", "--type=path", "--get", "core.excludesFile"]).catch(() => null);
  return named?.text.trim() || join(XDG_CONFIG_HOME || join(HOME, ".config"), "git/ignore");
}
