/** All current agents of a daemon by id: the built-in ones and those of the catalog. */
import {
  type AgentDefinition,
  AgentId,
  type AgentSource,
  ProblemError,
  type ShownAgentDefinition,
  shownDefinition,
} from "@sandbox-agent/schema";
import { describe } from "../acp/description.ts";
import type { AcpProfile } from "../acp/profile.ts";
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { lazyAgent } from "../lazy-agent.ts";
import type { AgentRegistry } from "../registry.ts";
import type { AgentCatalog } from "./agent-catalog.ts";
import { profileOf } from "./recipe.ts";

export interface LiveAgentRegistry {
  get(id: string): Agent | undefined;
  ids(): string[];
  origin(id: string): { source: AgentSource; definition?: ShownAgentDefinition };
  /** Throws ProblemError. */
  define(id: string, definition: AgentDefinition): void;
  /** Throws ProblemError. */
  remove(id: string): void;
  close(): Promise<void>;
}

export function liveRegistry(
  builtin: AgentRegistry,
  catalog: AgentCatalog,
  environment: AgentEnvironment,
): LiveAgentRegistry {
  /** Agents by definition, including those of former definitions: sessions keep the agent they were opened with. */
  const defined = new Map<string, Agent>();

  const get = (id: string): Agent | undefined => {
    const own = builtin.get(id);
    if (own) return own;
    const definition = catalog.get(id)?.definition;
    if (!definition) return undefined;
    const key = JSON.stringify([id, definition]);
    const agent = defined.get(key) ?? acpAgent(profileOf(id, definition), environment);
    defined.set(key, agent);
    return agent;
  };

  const checkId = (id: string) => {
    if (builtin.has(id))
      throw new ProblemError("conflict", `${id} is built in and cannot be changed; choose another id`, { agent: id });
  };

  return {
    get,
    ids: () => [...new Set([...builtin.keys(), ...catalog.ids()])],
    origin(id) {
      const agent = builtin.has(id) ? null : catalog.get(id);
      if (!agent) return { source: "builtin" };
      return { source: agent.source, definition: shownDefinition(agent.definition) };
    },
    define(id, definition) {
      checkId(id);
      const { success, error } = AgentId().safeParse(id);
      if (!success) throw new ProblemError("invalid_request", `the id ${error.issues[0]?.message}`, { agent: id });
      catalog.define(id, definition);
    },
    remove(id) {
      checkId(id);
      catalog.remove(id);
    },
    async close() {
      await Promise.all([...builtin.values(), ...defined.values()].map((agent) => agent.close?.()));
    },
  };
}

function acpAgent(profile: AcpProfile, environment: AgentEnvironment): Agent {
  return lazyAgent(describe(profile), async () =>
    (await import("../acp/agent.ts")).createAcpAgent(profile, environment),
  );
}
