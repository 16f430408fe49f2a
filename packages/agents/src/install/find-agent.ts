/** Finds an agent's program: at the path of its variable, in our own directory, then on PATH. */
import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InstalledAgent } from "./installer.ts";
import type { Recipe } from "./manifest.ts";
import { firstBytes, type Platform } from "./platform.ts";
import { createVersionReader } from "./probe.ts";
import { scriptCommand } from "./script-runner.ts";
import type { Source } from "./source.ts";
import { agentStore, isVersion } from "./store.ts";
import { type Environment, pathVariable } from "./variables.ts";

export interface Found extends InstalledAgent {
  place: "named" | "own" | "path";
}

export interface Search {
  agent: string;
  recipe: Recipe;
  /** Only this version matches; null = any. */
  version: string | null;
}

export interface Finder {
  find(search: Search): Promise<Found | null>;
  /** Searches only our own directory. */
  findOwn(search: Search): Found | null;
}

export interface FinderOptions {
  directory: string;
  env: Environment;
  platform: Platform | null;
  sources: readonly Source[];
}

export function createFinder({ directory, env, platform, sources }: FinderOptions): Finder {
  const versionOf = createVersionReader();

  const described = async (path: string, place: "named" | "path", { agent, recipe, version }: Search) => {
    const run = commandFor(path, recipe, directory);
    const actual = recipe.mute ? null : await versionOf(path, run.command, { ...env, ...run.env });
    if (version !== null && version !== actual) return null;
    return { agent, version: actual, path, ...run, place };
  };

  const findOwn = ({ agent, recipe, version }: Search): Found | null => {
    if (platform === null) return null;
    const store = agentStore(directory, agent);
    const chosen = recipe.pinned ? recipe.version : null;
    const wanted = version ?? chosen ?? store.current() ?? recipe.version;
    if (wanted === null || !isVersion(wanted)) return null;
    const path = programIn(store.folderOf(wanted), sources, recipe, platform);
    return path ? { agent, version: wanted, path, ...commandFor(path, recipe, directory), place: "own" } : null;
  };

  const find = async (search: Search): Promise<Found | null> => {
    const { agent, recipe, version } = search;
    if (version === "latest") return null;
    const named = env[pathVariable(agent)];
    if (named) {
      // If the variable is set, other places are not searched: a wrong path must not go unnoticed.
      if (!isRunnable(resolve(named), recipe)) return null;
      const found = await described(resolve(named), "named", search);
      if (found) return found;
    }
    const own = findOwn(search);
    if (own) return own;
    // A single program with the agent's name, from an image or an older version of the daemon.
    const plain = join(directory, agent);
    const names = recipe.program === null ? [] : [recipe.program, ...(recipe.aliases ?? [])];
    const onPath = names.map((name) => Bun.which(name, { PATH: env.PATH ?? "" }));
    for (const path of [plain, ...onPath]) {
      const found = path && isRunnable(path, recipe) ? await described(path, "path", search) : null;
      if (found) return found;
    }
    return null;
  };

  return { find, findOwn };
}

/** The program in a folder that was filled by one of the sources. */
export function programIn(
  folder: string,
  sources: readonly Source[],
  recipe: Recipe,
  platform: Platform,
): string | null {
  const places = sources.map((source) => source.executable(recipe, platform, folder)).filter((place) => place !== null);
  return places.map((place) => join(folder, place)).find((path) => isRunnable(path, recipe)) ?? null;
}

/** JavaScript runs on the runtime inside our own executable; other programs run directly. */
export function commandFor(
  path: string,
  { runtime }: Recipe,
  directory: string,
): Pick<InstalledAgent, "command" | "env"> {
  return runtime === "bun" && isScript(path) ? scriptCommand(path, directory) : { command: [path] };
}

export function isRunnable(path: string, { runtime }: Recipe): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, runtime === "bun" && isScript(path) ? constants.R_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** By its file extension, or by the interpreter in its first line. */
function isScript(path: string): boolean {
  return /\.[cm]?js$/.test(path) || /^#!.*\b(node|bun)\b/.test(firstBytes(path, 64));
}
