/**
 * Skills of a session: finds the skill directories of each source and links them to where agents look for them in the
 * working directory.
 */
import { lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { skillFolders } from "@sandbox-agent/agents";
import { ProblemError, type SkillSource, type SkillsConfig } from "@sandbox-agent/schema";
import type { Setup } from "./setup.ts";
import { invalid, isFolderName, type SkillStore } from "./skill-source.ts";

interface Link {
  target: string;
  path: string;
}

/**
 * Links are made only when all of them can be. Of skills with the same name
 * the last wins, so that those a session brought itself replace those of its directory.
 */
export async function linkSkills({ directory, skills, directorySkills }: Setup, store: SkillStore): Promise<void> {
  const targets = await findSkills(skills, directory, store);
  const byName = new Map(targets.map((target) => [basename(target), target]));
  const replaceable = new Set(await findSkills(directorySkills, directory, store));
  const links = [...byName.values()].flatMap((target) => linksTo(target, directory));
  const missing = await Promise.all(links.map(async (link) => ((await isLinked(link, replaceable)) ? [] : [link])));
  for (const folder of skillFolders) await requireInside(directory, folder);
  for (const { target, path } of missing.flat()) {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await symlink(target, path);
  }
}

/** A project may have a link in the place of a folder for skills: nothing is written where it leads. */
async function requireInside(directory: string, folder: string): Promise<void> {
  for (let path = folder; path !== "."; path = dirname(path)) {
    if (await isReallyBelow(directory, join(directory, path))) continue;
    throw new ProblemError(
      "invalid_request",
      `${join(directory, path)} leads out of the directory; no skills are linked there`,
    );
  }
}

/** The directories of all skills, in the order of their sources. */
export async function findSkills({ sources }: SkillsConfig, directory: string, store: SkillStore): Promise<string[]> {
  return (await Promise.all(sources.map((source) => skillsOf(source, directory, store)))).flat();
}

/** Removes the links to skills, as far as they are still those that were made for them. */
export async function unlinkSkills(skills: SkillsConfig, directory: string, store: SkillStore): Promise<void> {
  const targets = await findSkills(skills, directory, store).catch(() => []);
  for (const { target, path } of targets.flatMap((found) => linksTo(found, directory)))
    if ((await readlink(path).catch(() => null)) === target) await rm(path, { force: true });
}

function linksTo(target: string, directory: string): Link[] {
  return skillFolders.map((folder) => ({ target, path: join(directory, folder, basename(target)) }));
}

async function skillsOf(source: SkillSource, directory: string, store: SkillStore): Promise<string[]> {
  const checkout = await rootOf(source, directory, store);
  const root = join(checkout, source.subpath ?? "");
  if (!isBelow(checkout, root) || (source.type !== "local" && !(await isReallyBelow(checkout, root))))
    throw invalid(source, `the subpath ${source.subpath} leads out of it`);
  if (!(await isDirectory(root))) throw invalid(source, `directory ${root} does not exist`);
  const all = await skillDirectories(root);
  if (all.length === 0) throw invalid(source, "no directory with a SKILL.md was found in it");
  const unusable = all.find((path) => !isFolderName(basename(path)));
  if (unusable !== undefined)
    throw invalid(source, `${JSON.stringify(basename(unusable))} cannot be the name of a skill`);
  const { skills } = source;
  if (!skills) return all;
  const chosen = all.filter((path) => skills.includes(basename(path)));
  if (chosen.length === 0) throw invalid(source, `it has none of the skills ${skills.join(", ")}`);
  return chosen;
}

async function rootOf(source: SkillSource, directory: string, store: SkillStore): Promise<string> {
  if (source.type === "local") return resolve(directory, source.source);
  if (source.type === "archive") {
    const { unpack } = await import("./skill-archive.ts");
    return unpack(source, directory, store);
  }
  const { checkOut } = await import("./skill-repository.ts");
  return checkOut(source, directory, store);
}

/** The root itself, the folders in its `skills/`, and its direct children, as far as they hold a SKILL.md. */
async function skillDirectories(root: string): Promise<string[]> {
  if (await isFile(join(root, "SKILL.md"))) return [root];
  const candidates = [...(await children(join(root, "skills"))), ...(await children(root))];
  const isSkill = await Promise.all(candidates.map((path) => isFile(join(path, "SKILL.md"))));
  return candidates.filter((_, index) => isSkill[index]);
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

function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${resolve(directory)}/`);
}

/** Also when there are links on the way. What does not exist leads nowhere. */
async function isReallyBelow(directory: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => null);
  return real === null || isBelow(await realpath(directory), real);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
