/** Modes and models, asked from OpenCode itself. Asked once per set of credentials; those who ask meanwhile wait along. */
import type { AgentMode, AgentModels } from "@sandbox-agent/schema";
import type { LeasedServers } from "../process/leased-server.ts";
import { AgentList, ProviderList, type ProviderList as Providers } from "./generated/api.ts";
import { requestAs } from "./http.ts";
import type { Launch } from "./launch.ts";
import { fallbackModels, universalModels } from "./models.ts";
import type { OpenCodeServer } from "./server.ts";

/** Whoever asked for models is likely to open a session next. */
const lingerMs = 15_000;

const custom: AgentMode = {
  id: "custom",
  name: "Custom",
  description: "The agent that OpenCode's configuration names",
};

export const fallbackModes: AgentMode[] = [
  { id: "build", name: "Build", description: "The default agent. Executes tools based on configured permissions." },
  { id: "plan", name: "Plan", description: "Plan mode. Disallows all edit tools." },
  custom,
];

interface Answer {
  modes: AgentMode[];
  models: AgentModels;
}

export interface CatalogueOptions {
  servers: LeasedServers<Launch, OpenCodeServer>;
  launch(): Promise<Launch>;
  /** A directory without a configuration of its own. */
  directory: string;
  log(message: string, fields?: Record<string, unknown>): void;
}

export function createCatalogue({ servers, launch, directory, log }: CatalogueOptions) {
  const answers = new Map<string, Promise<Answer>>();

  /** Falls back when OpenCode cannot be run, and asks again next time. */
  async function ask(): Promise<Answer> {
    try {
      const current = await launch();
      const known = answers.get(current.key) ?? fetchFrom(current);
      answers.set(current.key, known);
      known.catch(() => answers.delete(current.key));
      return await known;
    } catch (error) {
      log("opencode could not be asked for its modes and models", { error });
      return { modes: fallbackModes, models: fallbackModels };
    }
  }

  async function fetchFrom(current: Launch): Promise<Answer> {
    const lease = servers.lease(current);
    lease.setBusy(true);
    try {
      const server = await lease.server();
      const [agents, providers] = await Promise.all([
        requestAs(AgentList, server, "GET", "/agent", { query: { directory } }),
        providersOf(server, directory),
      ]);
      return { modes: universalModes(agents), models: universalModels(providers) };
    } finally {
      await lease.release(lingerMs);
    }
  }

  return { modes: async () => (await ask()).modes, models: async () => (await ask()).models };
}

function universalModes(agents: AgentList): AgentMode[] {
  const offered = agents.filter(({ mode, hidden, name }) => mode !== "subagent" && !hidden && name !== custom.id);
  const modes = offered.map(({ name, description }) => ({
    id: name,
    name: name.charAt(0).toUpperCase() + name.slice(1),
    description: description || `The agent ${name} of OpenCode's configuration`,
  }));
  return [...modes, custom];
}

/** The answer holds keys in clear text; only what the schema names is kept of it. */
const lists = new WeakMap<OpenCodeServer, Map<string, Promise<Providers>>>();

/** What a server offers in a directory, whose configuration may add to it. */
export function providersOf(server: OpenCodeServer, directory: string): Promise<Providers> {
  const known = lists.get(server) ?? new Map<string, Promise<Providers>>();
  lists.set(server, known);
  const list =
    known.get(directory) ?? requestAs(ProviderList, server, "GET", "/config/providers", { query: { directory } });
  known.set(directory, list);
  list.catch(() => known.delete(directory));
  return list;
}
