/** Agents as OpenCode's providers, their models as its models, their modes as its agents. */

import type { Agent, LiveAgentRegistry } from "@sandbox-agent/agents";
import { within } from "@sandbox-agent/agents";
import type { AgentMode, AgentModels } from "@sandbox-agent/schema";
import { defaultModelId } from "./messages.ts";
import type { Model, OpenCodeAgent, Provider } from "./wire.ts";

interface Entry {
  agent: Agent;
  /** Whether the agent is installed. */
  connected: boolean;
  /** Whether it has credentials for a model. */
  ready: boolean;
  models: AgentModels;
  modes: AgentMode[];
}

/** Some clients show nothing until these responses arrive. */
const timeoutMs = 10_000;
/** Clients send several requests while they start. */
const freshMs = 15_000;

const fallbackModels: AgentModels = { models: [{ id: defaultModelId, name: "Default" }], defaultModel: defaultModelId };

export class Catalog {
  #entries: Promise<Entry[]> | null = null;
  #loadedAt = 0;

  constructor(private readonly agents: LiveAgentRegistry) {}

  async providers(): Promise<{ all: Provider[]; default: Record<string, string>; connected: string[] }> {
    const entries = await this.#get();
    return {
      all: entries.map(providerOf),
      default: Object.fromEntries(entries.map(({ agent, models }) => [agent.id, defaultModelOf(models)])),
      connected: entries.filter(({ connected }) => connected).map(({ agent }) => agent.id),
    };
  }

  /** For sessions whose client chooses no model. */
  async defaultChoice(): Promise<{ providerID: string; modelID: string }> {
    const [first] = await this.#get();
    if (!first) throw new Error("there is always an agent");
    return { providerID: first.agent.id, modelID: defaultModelOf(first.models) };
  }

  /** The model to start the agent with; null for the agent's default. */
  async modelFor(agentId: string, modelId: string): Promise<string | null> {
    const entry = (await this.#get()).find(({ agent }) => agent.id === agentId);
    return modelId === defaultModelId && entry?.models === fallbackModels ? null : modelId;
  }

  async modes(): Promise<OpenCodeAgent[]> {
    const modes = (await this.#get()).filter(({ connected }) => connected).flatMap((entry) => entry.modes);
    const byId = new Map(modes.toReversed().map((mode) => [mode.id, mode]));
    const ids = [...new Set(["build", "plan", ...modes.map(({ id }) => id)])].filter((id) => byId.has(id));
    return ids.map((name) => ({
      name,
      description: byId.get(name)?.description ?? "",
      mode: "primary",
      native: true,
      permission: [],
      options: {},
    }));
  }

  #get(): Promise<Entry[]> {
    const now = performance.now();
    if (!this.#entries || now - this.#loadedAt > freshMs) {
      this.#loadedAt = now;
      const agents = this.agents.ids().flatMap((id) => this.agents.get(id) ?? []);
      this.#entries = Promise.all(agents.map(entryOf)).then((entries) => entries.sort((a, b) => rank(a) - rank(b)));
    }
    return this.#entries;
  }
}

async function entryOf(agent: Agent): Promise<Entry> {
  const presence = await agent.inspect().catch(() => ({ installed: false, credentialsAvailable: false }));
  const connected = presence.installed;
  const listed = connected ? await inTime(agent.models(), fallbackModels) : fallbackModels;
  const models = listed.models.length > 0 ? listed : fallbackModels;
  const modes = connected ? await inTime(agent.modes(), []) : [];
  return { agent, connected, ready: connected && presence.credentialsAvailable, models, modes };
}

function inTime<Value>(result: Promise<Value>, otherwise: Value): Promise<Value> {
  return within(
    timeoutMs,
    result.catch(() => otherwise),
    () => otherwise,
  );
}

/** Agents with credentials first, then installed ones, each in the order of the registry. */
function rank({ connected, ready }: Entry): number {
  if (ready) return 0;
  return connected ? 1 : 2;
}

function defaultModelOf({ models, defaultModel }: AgentModels): string {
  return defaultModel ?? models[0]?.id ?? defaultModelId;
}

function providerOf({ agent, models }: Entry): Provider {
  return {
    id: agent.id,
    name: agent.name,
    source: "custom",
    env: [],
    options: {},
    models: Object.fromEntries(models.models.map((model) => [model.id, modelOf(agent, model)])),
  };
}

function modelOf(agent: Agent, { id, name, variants = [] }: AgentModels["models"][number]): Model {
  const { images, fileAttachments, reasoning } = agent.capabilities;
  const only = { text: true, audio: false, image: false, video: false, pdf: false };
  return {
    id,
    providerID: agent.id,
    api: { id, url: "", npm: "" },
    name: name ?? id,
    family: agent.name,
    capabilities: {
      temperature: false,
      reasoning,
      attachment: images || fileAttachments,
      toolcall: true,
      input: { ...only, image: images, pdf: fileAttachments },
      output: only,
      interleaved: false,
    },
    cost: { input: 0, output: 0, cache: { read: 0, write: 0 } },
    // 0 = unknown: clients then show no percentage of the context.
    limit: { context: 0, output: 0 },
    status: "active",
    options: {},
    headers: {},
    release_date: "",
    variants: Object.fromEntries(variants.map((variant) => [variant, {}])),
  };
}
