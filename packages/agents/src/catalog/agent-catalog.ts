/**
 * The catalog of agents that are not built in: those of the public registry, those that users have defined in `agents.json`
 * or over the API, and those of a configuration file. Later ones take precedence. The catalog changes at runtime.
 */
import { join } from "node:path";
import { type AgentDefinition, type AgentRegistryInfo, type AgentSource, ProblemError } from "@sandbox-agent/schema";
import type { RecipeSource } from "../install/create-installer.ts";
import { detectPlatform } from "../install/platform.ts";
import { allowsUnverified, type Environment } from "../install/variables.ts";
import { type Definitions, readDefinitionFiles, writeDefinitions } from "./definition-file.ts";
import { recipeOf } from "./recipe.ts";
import { fetchRegistry, readRegistry, registryUrl } from "./registry-copy.ts";
import { registryDefinitions } from "./registry-document.ts";

export interface DefinedAgent {
  definition: AgentDefinition;
  source: Exclude<AgentSource, "builtin">;
}

export interface AgentCatalog extends RecipeSource {
  get(id: string): DefinedAgent | null;
  /** Stored before it takes effect. Throws ProblemError. */
  define(id: string, definition: AgentDefinition): void;
  /** Throws ProblemError. */
  remove(id: string): void;
  /** Throws ProblemError. */
  refresh(url?: string): Promise<AgentRegistryInfo>;
}

export interface AgentCatalogOptions {
  /** The directory of `agents.json` and the fetched registry; null = memory only. */
  directory: string | null;
  /** A file with definitions, which is only read. */
  configFile: string | null;
  env: Environment;
}

/** Throws an error with the file and the field if a file is invalid. */
export function openAgentCatalog({ directory, configFile, env }: AgentCatalogOptions): AgentCatalog {
  const platform = detectPlatform();
  const registryFile = directory === null ? null : join(directory, "registry.json");
  const { ownFile, configured, ...read } = readDefinitionFiles(directory, configFile);
  let own = read.own;
  // Read on first use, because reading it is the slowest part of a daemon's first session.
  let listed: Definitions | null = null;

  const registry = () => (listed ??= registryDefinitions(readRegistry(registryFile).document, platform));

  function find(id: string): DefinedAgent | null {
    const custom = configured.get(id) ?? own.get(id);
    if (custom) return { definition: custom, source: "custom" };
    const definition = registry().get(id);
    return definition ? { definition, source: "registry" } : null;
  }

  function keep(changed: Definitions): void {
    if (ownFile !== null) writeDefinitions(ownFile, changed);
    own = changed;
  }

  function checkChangeable(id: string): void {
    if (!configured.has(id)) return;
    throw new ProblemError("conflict", `${id} is defined in ${configFile}; change it there and restart the daemon`, {
      agent: id,
    });
  }

  return {
    get: find,
    ids: () => new Set([...registry().keys(), ...own.keys(), ...configured.keys()]).values(),
    recipe(id) {
      const agent = find(id);
      return agent ? recipeOf(agent.definition, agent.source, platform) : null;
    },
    define(id, definition) {
      checkChangeable(id);
      keep(new Map([...own, [id, definition]]));
    },
    remove(id) {
      checkChangeable(id);
      if (!own.has(id)) throw notCustom(id, registry().has(id));
      keep(new Map([...own].filter(([other]) => other !== id)));
    },
    async refresh(url = registryUrl(env)) {
      const { document, date } = await fetchRegistry(url, registryFile, { allowPlain: allowsUnverified(env) });
      listed = registryDefinitions(document, platform);
      return { url, date, agents: [...listed.keys()] };
    },
  };
}

function notCustom(id: string, isKnown: boolean): ProblemError {
  if (isKnown)
    return new ProblemError("conflict", `${id} comes from the ACP registry and cannot be removed`, { agent: id });
  return new ProblemError("unsupported_agent", `there is no agent "${id}"`, { agent: id });
}
