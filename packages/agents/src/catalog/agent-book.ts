/**
 * The agents that are not built in, while they come and go: those of the public registry, those that users have defined
 * in `agents.json` or over the API, and those of a configuration file. The later win over the earlier.
 */
import { join } from "node:path";
import { type AgentDefinition, type AgentRegistryInfo, type AgentSource, ProblemError } from "@sandbox-agent/schema";
import type { RecipeBook } from "../install/create-installer.ts";
import { detectPlatform } from "../install/platform.ts";
import type { Environment } from "../install/variables.ts";
import { type Definitions, readDefinitionFiles, writeDefinitions } from "./definition-file.ts";
import { recipeOf } from "./recipe.ts";
import { fetchRegistry, type RegistryCopy, readRegistry, registryUrl } from "./registry-copy.ts";
import { registryDefinitions } from "./registry-document.ts";

export interface DefinedAgent {
  definition: AgentDefinition;
  source: Exclude<AgentSource, "builtin">;
}

export interface AgentBook extends RecipeBook {
  get(id: string): DefinedAgent | null;
  /** Kept before it counts. Throws ProblemError. */
  define(id: string, definition: AgentDefinition): void;
  /** Throws ProblemError. */
  remove(id: string): void;
  /** Throws ProblemError. */
  refresh(url?: string): Promise<AgentRegistryInfo>;
}

export interface AgentBookOptions {
  /** Keeps `agents.json` and the fetched registry; null = memory only. */
  directory: string | null;
  /** A file with definitions that is only read. */
  configFile: string | null;
  env: Environment;
}

/** Throws an error that names the file and the field when a file cannot be used. */
export function openAgentBook({ directory, configFile, env }: AgentBookOptions): AgentBook {
  const platform = detectPlatform();
  const registryFile = directory === null ? null : join(directory, "registry.json");
  const { ownFile, configured, ...read } = readDefinitionFiles(directory, configFile);
  let own = read.own;
  // Read when first needed: it takes longer than all else at the start of a daemon.
  let registry: RegistryCopy | null = null;
  let gathered: Map<string, DefinedAgent> | null = null;

  const agents = () => (gathered ??= gather());

  function gather(): Map<string, DefinedAgent> {
    registry ??= readRegistry(registryFile);
    const known = registryDefinitions(registry.document, platform);
    return new Map([...as("registry", known), ...as("custom", own), ...as("custom", configured)]);
  }

  function keep(changed: Definitions): void {
    if (ownFile !== null) writeDefinitions(ownFile, changed);
    own = changed;
    gathered = null;
  }

  function checkChangeable(id: string): void {
    if (!configured.has(id)) return;
    throw new ProblemError("conflict", `${id} is defined in ${configFile}; change it there and restart`, { agent: id });
  }

  return {
    get: (id) => agents().get(id) ?? null,
    ids: () => agents().keys(),
    recipe(id) {
      const agent = agents().get(id);
      return agent ? recipeOf(agent.definition, agent.source, platform) : null;
    },
    define(id, definition) {
      checkChangeable(id);
      keep(new Map([...own, [id, definition]]));
    },
    remove(id) {
      checkChangeable(id);
      if (!own.has(id)) throw notCustom(id, agents().has(id));
      keep(new Map([...own].filter(([other]) => other !== id)));
    },
    async refresh(url = registryUrl(env)) {
      registry = await fetchRegistry(url, registryFile);
      gathered = null;
      return { url, date: registry.date, agents: [...registryDefinitions(registry.document, platform).keys()] };
    },
  };
}

function as(source: DefinedAgent["source"], definitions: Definitions): [string, DefinedAgent][] {
  return [...definitions].map(([id, definition]) => [id, { definition, source }]);
}

function notCustom(id: string, isKnown: boolean): ProblemError {
  if (isKnown)
    return new ProblemError("conflict", `${id} comes from the ACP registry and cannot be removed`, { agent: id });
  return new ProblemError("unsupported_agent", `there is no agent "${id}"`, { agent: id });
}
