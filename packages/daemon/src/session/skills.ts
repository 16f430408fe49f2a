/**
 * Skills of a session: finds the skill directories of each source and links them to where agents look for them in the
 * working directory.
 */
import { lstat, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { ProblemError, type SkillSource, type SkillsConfig } from "@sandbox-agent/schema";

const skillFolders = [".agents/skills", ".claude/skills", ".opencode/skill"];

export async function linkSkills({ sources }: SkillsConfig, directory: string): Promise<void> {
  const found = await Promise.all(sources.map((source) => skillsOf(source, directory)));
  for (const skill of found.flat()) {
    for (const folder of skillFolders) await link(skill, join(directory, folder));
  }
}

async function skillsOf(source: SkillSource, directory: string): Promise<string[]> {
  const checkout = source.type === "local" ? resolve(directory, source.source) : await clone(source);
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

/** The root itself, the folders in its `skills/`, and its direct children, as far as they hold a SKILL.md. */
async function skillDirectories(root: string): Promise<string[]> {
  if (await isFile(join(root, "SKILL.md"))) return [root];
  const candidates = [...(await children(join(root, "skills"))), ...(await children(root))];
  const isSkill = await Promise.all(candidates.map((path) => isFile(join(path, "SKILL.md"))));
  return candidates.filter((_, index) => isSkill[index]);
}

async function clone(source: SkillSource): Promise<string> {
  const url = source.type === "github" ? `https://github.com/${source.source}.git` : source.source;
  const target = await mkdtemp(join(tmpdir(), "sandbox-agent-skills-"));
  const branch = source.ref ? ["--branch", source.ref] : [];
  const git = Bun.spawn(["git", "clone", "--quiet", "--depth", "1", ...branch, "--", url, target], {
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    stdout: "ignore",
    stderr: "pipe",
  });
  const stderr = await new Response(git.stderr).text();
  if ((await git.exited) === 0) return target;
  await rm(target, { recursive: true, force: true });
  throw invalid(source, `git could not clone it: ${stderr.trim()}`);
}

async function link(skill: string, folder: string): Promise<void> {
  const path = join(folder, basename(skill));
  const existing = await lstat(path).catch(() => null);
  if (existing?.isSymbolicLink() && (await readlink(path)) === skill) return;
  if (existing)
    throw new ProblemError("invalid_request", `skill ${basename(skill)}: ${path} exists already and is something else`);
  await mkdir(folder, { recursive: true });
  await symlink(skill, path);
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
