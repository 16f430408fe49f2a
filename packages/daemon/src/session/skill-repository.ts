/**
 * Skills in a local or remote git repository. The tree is written into a folder of the data directory without hooks,
 * filters and submodules, within limits, and only if no link in it points outside the folder. The git directory is outside
 * that folder, because agents can write to the folder and must not be able to configure git.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError, type SkillSource } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { openDirectory } from "../files/directory.ts";
import { locate } from "../files/place.ts";
import { rootOf } from "../files/root.ts";
import { type Git, GitError, type GitOptions, gitWith, isolatedEnvironment, requireGit } from "../git/run-git.ts";
import { makeGitDirectory, writeSettings } from "../git/settings.ts";
import { type Fetched, fetchLocal, fetchRemote } from "./skill-fetch.ts";
import { folderOf, type GitPlace, gitPlaceOf, invalid, refOf, type SkillStore } from "./skill-source.ts";

const limits: Pick<GitOptions, "limitMs" | "maxBytes" | "maxFileBytes"> = {
  limitMs: 60_000,
  maxBytes: 16 * 1024 * 1024,
  maxFileBytes: 256 * 1024 * 1024,
};
const maxTotalBytes = 256 * 1024 * 1024;
const maxFiles = 10_000;
const symlink = "120000";
const submodule = "160000";

// Files are written byte for byte, whatever attributes the repository has.
const attributes = "* -text -eol -ident -filter -working-tree-encoding\n";

/** One checkout per repository and ref, shared by all sessions. A new session updates it; if that fails, it uses the old one. */
export async function checkOut(source: SkillSource, directory: string, store: SkillStore): Promise<string> {
  const place = gitPlaceOf(source, directory, store);
  const ref = refOf(source);
  const address = "url" in place ? place.url : place.path;
  const key = new Bun.CryptoHasher("sha256").update(`${address}\n${ref}`).digest("hex").slice(0, 16);
  const target = join(store.directory, key, folderOf(source, /\.git$/));
  const running = checkingOut.get(target) ?? update(source, place, ref, target);
  checkingOut.set(target, running);
  return running.finally(() => checkingOut.delete(target));
}

/** By target: sessions created at the same time share one run of git. */
const checkingOut = new Map<string, Promise<string>>();

async function update(source: SkillSource, place: GitPlace, ref: string, target: string): Promise<string> {
  const home = dirname(target);
  const gitDirectory = join(home, `.${Bun.randomUUIDv7()}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    sweep(home);
    const known = existsSync(target) ? readId(home) : null;
    const fetched = await ("url" in place
      ? fetchRemote(place, ref, known, gitDirectory)
      : fetchLocal(place.path, ref, known, gitDirectory));
    if (fetched.isKnown) await write(gitFor(storeIn(home), target, fetched), fetched.id);
    else await replace(source, fetched, gitDirectory, target);
  } catch (error) {
    // An earlier checkout is used if there is one.
    if (existsSync(target)) return target;
    rmSync(home, { recursive: true, force: true });
    throw asProblem(source, error);
  } finally {
    rmSync(gitDirectory, { recursive: true, force: true });
  }
  return target;
}

/** The new files become visible only when all of them are written and checked. */
async function replace(source: SkillSource, fetched: Fetched, gitDirectory: string, target: string): Promise<void> {
  const home = dirname(target);
  const folder = join(home, `.${Bun.randomUUIDv7()}`);
  try {
    mkdirSync(folder);
    const git = gitFor(gitDirectory, folder, fetched);
    const links = await checkTree(source, git, fetched.id);
    await write(git, fetched.id);
    checkLinks(source, folder, links);
    rmSync(join(home, idName), { force: true });
    swap(folder, target);
    swap(gitDirectory, storeIn(home));
    writeFileSync(join(home, idName), fetched.id);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Overwrites the configuration of the git directory. */
function gitFor(gitDirectory: string, workTree: string, { objects, settings }: Fetched): Git {
  const program = requireGit("skills in a git repository need it");
  makeGitDirectory(gitDirectory);
  writeSettings(gitDirectory, settings);
  writeFileSync(join(gitDirectory, "info/attributes"), attributes);
  const env: Record<string, string> = { ...isolatedEnvironment(gitDirectory), GIT_WORK_TREE: workTree };
  if (objects !== null) env.GIT_OBJECT_DIRECTORY = objects;
  return gitWith({ program, cwd: gitDirectory, env, ...limits });
}

async function write(git: Git, id: string): Promise<void> {
  await git(["read-tree", "--reset", "-u", id]);
}

/** Checks the limits and returns the paths of symbolic links. */
async function checkTree(source: SkillSource, git: Git, id: string): Promise<string[]> {
  const { text, truncated } = await git(["ls-tree", "-r", "-l", "-z", "--full-tree", id]);
  const entries = text.split("\0").slice(0, -1);
  if (truncated || entries.length > maxFiles) throw invalid(source, `the repository has more than ${maxFiles} files`);
  const links: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const [, mode = "", size = "", path = ""] = /^(\d+) \w+ [0-9a-f]+ +(\d+|-)\t([\s\S]*)$/.exec(entry) ?? [];
    bytes += Number(size) || 0;
    if (mode === symlink) links.push(path);
    if (mode !== submodule && path.split("/").length > 128) throw invalid(source, "its folders are nested too deeply");
  }
  if (bytes > maxTotalBytes) throw invalid(source, `its files are larger than ${maxTotalBytes} bytes in total`);
  return links;
}

function checkLinks(source: SkillSource, folder: string, links: readonly string[]): void {
  using directory = openDirectory(folder, folder);
  const inside = rootOf(directory);
  for (const link of links) {
    try {
      locate(inside, join(folder, link), { follow: true })[Symbol.dispose]();
    } catch (error) {
      // A dangling link is harmless.
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") continue;
      throw invalid(source, `the link ${JSON.stringify(link)} points outside the repository`);
    }
  }
}

function swap(made: string, target: string): void {
  const old = join(dirname(target), `.${Bun.randomUUIDv7()}`);
  if (existsSync(target)) renameSync(target, old);
  renameSync(made, target);
  rmSync(old, { recursive: true, force: true });
}

const [storeName, idName] = [".store", ".id"];

function storeIn(home: string): string {
  return join(home, storeName);
}

function readId(home: string): string | null {
  try {
    const id = readFileSync(join(home, idName), "utf8");
    return /^[0-9a-f]{40,64}$/.test(id) && existsSync(storeIn(home)) ? id : null;
  } catch {
    return null;
  }
}

/** Removes what an interrupted update left behind. */
function sweep(home: string): void {
  for (const name of readdirSync(home))
    if (name.startsWith(".") && name !== storeName && name !== idName)
      rmSync(join(home, name), { recursive: true, force: true });
}

function asProblem(source: SkillSource, error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if (!(error instanceof GitError) && !(error instanceof Error && error.name === "UnusableRepository")) return error;
  const isTooLarge = /signal 25|File too large/.test(error.message);
  return invalid(
    source,
    isTooLarge
      ? `the repository is larger than ${limits.maxFileBytes} bytes`
      : `git could not fetch it: ${error.message}`,
  );
}
