/**
 * Skills of a session: finds the skill directories of each source and links them to where agents look for them in the
 * working directory.
 */
import { lstat, mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { skillFolders } from "@sandbox-agent/agents";
import { ProblemError, type SkillSource, type SkillsConfig } from "@sandbox-agent/schema";
import type { Setup } from "./setup.ts";

interface Link {
  target: string;
  path: string;
}

/**
 * `checkouts` is where repositories are kept. Links are made only when all of them can be. Of skills with the same name
 * the last wins, so that those a session brought itself replace those of its directory.
 */
export async function linkSkills({ directory, skills, directorySkills }: Setup, checkouts: string): Promise<void> {
  const targets = await findSkills(skills, directory, checkouts);
  const byName = new Map(targets.map((target) => [basename(target), target]));
  const replaceable = new Set(await findSkills(directorySkills, directory, checkouts));
  const links = [...byName.values()].flatMap((target) => linksTo(target, directory));
  const missing = await Promise.all(links.map(async (link) => ((await isLinked(link, replaceable)) ? [] : [link])));
  for (const { target, path } of missing.flat()) {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await symlink(target, path);
  }
}

/** The directories of all skills, in the order of their sources. */
export async function findSkills({ sources }: SkillsConfig, directory: string, checkouts: string): Promise<string[]> {
  return (await Promise.all(sources.map((source) => skillsOf(source, directory, checkouts)))).flat();
}

/** Removes the links to skills, as far as they are still those that were made for them. */
export async function unlinkSkills(skills: SkillsConfig, directory: string, checkouts: string): Promise<void> {
  const targets = await findSkills(skills, directory, checkouts).catch(() => []);
  for (const { target, path } of targets.flatMap((found) => linksTo(found, directory)))
    if ((await readlink(path).catch(() => null)) === target) await rm(path, { force: true });
}

function linksTo(target: string, directory: string): Link[] {
  return skillFolders.map((folder) => ({ target, path: join(directory, folder, basename(target)) }));
}

async function skillsOf(source: SkillSource, directory: string, checkouts: string): Promise<string[]> {
  const checkout = await rootOf(source, directory, checkouts);
  const root = join(checkout, source.subpath ?? "");
  if (!(await isDirectory(root))) throw invalid(source, `directory ${root} does not exist`);
  const all = await skillDirectories(root);
  if (all.length === 0) throw invalid(source, "no directory with a SKILL.md was found in it");
  const { skills } = source;
  if (!skills) return all;
  const chosen = all.filter((path) => skills.includes(basename(path)));
  if (chosen.length === 0) throw invalid(source, `it has none of the skills ${skills.join(", ")}`);
  return chosen;
}

async function rootOf(source: SkillSource, directory: string, checkouts: string): Promise<string> {
  if (source.type === "local") return resolve(directory, source.source);
  if (source.type === "archive") {
    const { unpack } = await import("./skill-archive.ts");
    return unpack(source, directory, checkouts);
  }
  return checkOut(source, checkouts);
}

/** The root itself, the folders in its `skills/`, and its direct children, as far as they hold a SKILL.md. */
async function skillDirectories(root: string): Promise<string[]> {
  if (await isFile(join(root, "SKILL.md"))) return [root];
  const candidates = [...(await children(join(root, "skills"))), ...(await children(root))];
  const isSkill = await Promise.all(candidates.map((path) => isFile(join(path, "SKILL.md"))));
  return candidates.filter((_, index) => isSkill[index]);
}

/** One checkout per repository and ref, shared by all sessions. A new session takes what is newest, if it can be had. */
async function checkOut(source: SkillSource, checkouts: string): Promise<string> {
  const url = source.type === "github" ? `https://github.com/${source.source}.git` : source.source;
  const ref = source.ref ?? "HEAD";
  const key = new Bun.CryptoHasher("sha256").update(`${url}\n${ref}`).digest("hex").slice(0, 16);
  const target = join(checkouts, key, basename(url, ".git"));
  const underWay = checkingOut.get(target) ?? update(source, url, ref, target);
  checkingOut.set(target, underWay);
  return underWay.finally(() => checkingOut.delete(target));
}

/** By target: sessions created at the same time share one run of git. */
const checkingOut = new Map<string, Promise<string>>();

async function update(source: SkillSource, url: string, ref: string, target: string): Promise<string> {
  const isNew = !(await isDirectory(join(target, ".git")));
  try {
    await git(source, ["init", "--quiet", target]);
    await git(source, ["-C", target, "fetch", "--quiet", "--depth", "1", "--", url, ref]);
    await git(source, ["-C", target, "reset", "--quiet", "--hard", "FETCH_HEAD"]);
  } catch (error) {
    if (!isNew) return target;
    await rm(target, { recursive: true, force: true });
    throw error;
  }
  return target;
}

async function git(source: SkillSource, args: string[]): Promise<void> {
  const run = Bun.spawn(["git", ...args], {
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    stdout: "ignore",
    stderr: "pipe",
  });
  const stderr = await new Response(run.stderr).text();
  if ((await run.exited) !== 0) throw invalid(source, `git could not clone it: ${stderr.trim()}`);
}

async function isLinked({ target, path }: Link, replaceable: ReadonlySet<string>): Promise<boolean> {
  const existing = await lstat(path).catch(() => null);
  if (!existing) return false;
  const linked = existing.isSymbolicLink() ? await readlink(path) : null;
  if (linked === target) return true;
  if (linked !== null && replaceable.has(linked)) return false;
  throw new ProblemError("invalid_request", `skill ${basename(target)}: ${path} exists already and is something else`);
}

async function children(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => join(directory, entry.name))
    .sort();
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

function invalid(source: SkillSource, message: string): ProblemError {
  return new ProblemError("invalid_request", `skill source ${source.source}: ${message}`);
}
