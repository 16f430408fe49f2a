/**
 * Skills of a session: finds the skill directories of each source and links them into the folders of the working directory
 * that agents read skills from.
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
 * Creates either all links or none. Of skills with the same name the last one wins, so that the skills of a session replace
 * those of its directory.
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

/** A project may contain a symbolic link in place of a skill folder. Nothing is written through such a link. */
async function requireInside(directory: string, folder: string): Promise<void> {
  for (let path = folder; path !== "."; path = dirname(path)) {
    if (await isReallyBelow(directory, join(directory, path))) continue;
    throw new ProblemError(
      "invalid_request",
      `${join(directory, path)} is a link that points outside the working directory; skills cannot be linked there`,
    );
  }
}

/** The directories of all skills, in the order of their sources. */
export async function findSkills({ sources }: SkillsConfig, directory: string, store: SkillStore): Promise<string[]> {
  return (await Promise.all(sources.map((source) => skillsOf(source, directory, store)))).flat();
}

/** Removes the links to skills. A path that has been replaced by something else is left alone. */
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
    throw invalid(source, `the subpath ${source.subpath} points outside the source`);
  if (!(await isDirectory(root))) throw invalid(source, `directory ${root} does not exist`);
  const all = await skillDirectories(root);
  if (all.length === 0) throw invalid(source, "it contains no directory with a SKILL.md");
  const unusable = all.find((path) => !isFolderName(basename(path)));
  if (unusable !== undefined)
    throw invalid(source, `${JSON.stringify(basename(unusable))} cannot be the name of a skill`);
  const { skills } = source;
  if (!skills) return all;
  const chosen = all.filter((path) => skills.includes(basename(path)));
  if (chosen.length === 0) throw invalid(source, `it contains none of the skills ${skills.join(", ")}`);
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

/** The directories with a SKILL.md: the root itself, or else the folders in its `skills/` and its direct children. */
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
  throw new ProblemError(
    "invalid_request",
    `skill ${basename(target)}: ${path} already exists and is not a link to a skill; remove or rename it`,
  );
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

/** Resolves symbolic links. A path that does not exist is accepted. */
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
