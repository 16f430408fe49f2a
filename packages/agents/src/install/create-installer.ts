/** The installer of a daemon or a command: finds agents, installs each one once at a time, and reports progress. */
import { resolve } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { createFinder, type Found, isRunnable } from "./find-agent.ts";
import { installAgent } from "./install-agent.ts";
import { asInstallProblem, installProblem } from "./install-problem.ts";
import type { InstalledAgent, Installer, InstallProgress } from "./installer.ts";
import { type Manifest, manifest as ownManifest, type Recipe } from "./manifest.ts";
import { npmSource } from "./npm-source.ts";
import { detectPlatform, type Platform } from "./platform.ts";
import type { Source } from "./source.ts";
import { agentStore, isVersion } from "./store.ts";
import { type Environment, pathVariable, requiresPreinstall, sourcesIn, sourceVariable } from "./variables.ts";
import { vendorSource } from "./vendor-source.ts";

export interface InstallerOptions {
  /** The directory agents are installed in: `bin` in the data directory, or a prepared folder. */
  directory: string;
  env: Environment;
  manifest?: Manifest;
  /** Recipes besides those of the manifest, which may change at runtime. */
  definitions?: RecipeSource;
  platform?: Platform | null;
}

export interface RecipeSource {
  recipe(agent: string): Recipe | null;
  ids(): Iterable<string>;
}

const noDefinitions: RecipeSource = { recipe: () => null, ids: () => [] };

interface Order {
  agent: string;
  version: string | null;
  reinstall: boolean;
  makeCurrent: boolean;
}

const sourceByName: Record<"npm" | "vendor", Source> = { npm: npmSource, vendor: vendorSource };

export function createInstaller(options: InstallerOptions): Installer {
  const { directory, env, manifest = ownManifest, definitions = noDefinitions } = options;
  const { platform = detectPlatform() } = options;
  const recipeOf = (agent: string) => recipeIn(manifest, agent) ?? definitions.recipe(agent);
  const finder = createFinder({ directory, env, platform, sources: Object.values(sourceByName) });
  const listeners = new Set<(progress: InstallProgress) => void>();
  const running = new Map<string, Promise<InstalledAgent>>();

  const find = async (agent: string, version: string | null = null): Promise<InstalledAgent | null> => {
    const recipe = recipeOf(agent);
    const found = recipe && (await finder.find({ agent, recipe, version }));
    return found && publicPart(found);
  };

  const ensure = async (order: Order): Promise<InstalledAgent> => {
    const { agent, version, reinstall, makeCurrent } = order;
    const recipe = recipeOf(agent) ?? unsupported(agent, [...Object.keys(manifest), ...definitions.ids()]);
    checkVersion(version, agent);
    const found = reinstall ? null : await finder.find({ agent, recipe, version });
    if (found && satisfies(found, order, directory)) {
      if (found.place === "own" && makeCurrent && version !== null) useVersion(directory, agent, version);
      return publicPart(found);
    }
    checkNamedPath(agent, recipe, env);
    const report = (progress: Omit<InstallProgress, "agent">) => {
      for (const listener of listeners) listener({ agent, ...progress });
    };
    const sources = chosenSources(agent, recipe, env);
    if (platform === null) throw installProblem(agent, `no agent is built for ${process.platform} ${process.arch}`);
    const wanted = { agent, recipe, platform, env, directory, version, reinstall, makeCurrent };
    return share(running, JSON.stringify([agent, version, reinstall, makeCurrent]), async () =>
      publicPart(await installAgent({ ...wanted, sources, findOwn: finder.findOwn, report })),
    );
  };

  return {
    find,
    install: (agent, { version = null, reinstall = false } = {}) =>
      ensure({ agent, version, reinstall, makeCurrent: true }),
    async require(agent, version = null) {
      const found = await find(agent, version);
      if (found) return found;
      if (requiresPreinstall(env)) throw notPreinstalled(agent, version);
      return ensure({ agent, version, reinstall: false, makeCurrent: version === null });
    },
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function recipeIn(manifest: Manifest, agent: string): Recipe | null {
  return Object.entries(manifest).find(([id]) => id === agent)?.[1] ?? null;
}

function unsupported(agent: string, known: readonly string[]): never {
  const message = `${agent} cannot be installed; available agents: ${known.join(", ")}`;
  throw new ProblemError("unsupported_agent", message, { agent });
}

function checkVersion(version: string | null, agent: string): void {
  if (version === null || version === "latest" || isVersion(version)) return;
  throw new ProblemError("invalid_request", `"${version}" is not a version; pass a full version number, or "latest"`, {
    agent,
  });
}

/** A copy on PATH is not enough if our own directory has another version, which would be found first. */
function satisfies(found: Found, { agent, version, makeCurrent }: Order, directory: string): boolean {
  if (found.place !== "path" || version === null || !makeCurrent) return true;
  return agentStore(directory, agent).current() === null;
}

function useVersion(directory: string, agent: string, version: string): void {
  const store = agentStore(directory, agent);
  if (store.current() === version) return;
  try {
    store.setCurrent(version);
  } catch (error) {
    throw asInstallProblem(agent, store.home, error);
  }
}

function checkNamedPath(agent: string, recipe: Recipe, env: Environment): void {
  const named = env[pathVariable(agent)];
  if (!named || isRunnable(resolve(named), recipe)) return;
  throw installProblem(
    agent,
    `${pathVariable(agent)} is ${named}, which is not an executable file; correct it or unset it`,
  );
}

function chosenSources(agent: string, recipe: Recipe, env: Environment): Source[] {
  const offered = Object.values(sourceByName).filter((source) => source.offers(recipe));
  if (offered.length === 0) throw notThere(agent, recipe);
  const names = sourcesIn(env);
  if (names === null)
    throw installProblem(agent, `${sourceVariable} is ${env[sourceVariable]}; it must be npm, vendor or path`);
  const allowed = names.flatMap((name) => (name === "path" ? [] : [sourceByName[name]]));
  const sources = allowed.filter((source) => offered.includes(source));
  if (sources.length > 0) return sources;
  if (allowed.length > 0)
    throw installProblem(
      agent,
      `${sourceVariable} is ${env[sourceVariable]}, but ${agent} is not available there; unset it`,
    );
  throw installProblem(
    agent,
    `this version of ${agent} is not installed, and ${sourceVariable}=path does not allow installing it; put it on PATH or set ${pathVariable(agent)} to its path`,
  );
}

/** The recipe has no source to install from. */
function notThere(agent: string, { program }: Recipe): ProblemError {
  const what = program === null ? `there is no download of ${agent} for this platform` : `${program} is not on PATH`;
  return new ProblemError(
    "agent_not_installed",
    `${what}, and the definition of ${agent} has no other source to install it from; install it, correct the definition, or set ${pathVariable(agent)} to the path of the program`,
    { agent },
  );
}

function notPreinstalled(agent: string, version: string | null): ProblemError {
  const what = version === null ? agent : `${agent} ${version}`;
  const command = `sandbox-agent install-agent ${agent}${version === null ? "" : ` --agent-version ${version}`}`;
  return new ProblemError(
    "agent_not_installed",
    `${what} is not installed, and SANDBOX_AGENT_REQUIRE_PREINSTALL does not allow installing it now; run \`${command}\` first`,
    { agent },
  );
}

/** Calls with the same key share one running operation. */
function share<Result>(
  running: Map<string, Promise<Result>>,
  key: string,
  start: () => Promise<Result>,
): Promise<Result> {
  const shared = running.get(key) ?? start().finally(() => running.delete(key));
  running.set(key, shared);
  return shared;
}

function publicPart({ place: _, ...installed }: Found): InstalledAgent {
  return installed;
}
