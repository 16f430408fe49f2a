/** Modes and models of OpenCode, read from the program once per launch configuration. */
import type { AgentMode, AgentModels } from "@sandbox-agent/schema";
import type { LeasedServers } from "../process/leased-server.ts";
import { AgentList, ProviderList, type ProviderList as Providers } from "./generated/api.ts";
import { requestAs } from "./http.ts";
import type { Launch } from "./launch.ts";
import { fallbackModels, universalModels } from "./models.ts";
import type { OpenCodeServer } from "./server.ts";

/** A session is often opened right after its models were read, and can then use the same server. */
const lingerMs = 15_000;

const custom: AgentMode = {
  id: "custom",
  name: "Custom",
  description: "The default agent of OpenCode's configuration",
};

export const fallbackModes: AgentMode[] = [
  { id: "build", name: "Build", description: "The default agent. Executes tools based on configured permissions." },
  { id: "plan", name: "Plan", description: "Plan mode. Disallows all edit tools." },
  custom,
];

interface Catalog {
  modes: AgentMode[];
  models: AgentModels;
}

export interface CatalogOptions {
  servers: LeasedServers<Launch, OpenCodeServer>;
  launch(): Promise<Launch>;
  /** A directory without an OpenCode configuration. */
  directory: string;
  log(message: string, fields?: Record<string, unknown>): void;
}

export function createCatalog({ servers, launch, directory, log }: CatalogOptions) {
  const catalogs = new Map<string, Promise<Catalog>>();

  /** Falls back to the built-in list if OpenCode cannot be run. Failures are not cached. */
  async function load(): Promise<Catalog> {
    try {
      const current = await launch();
      const known = catalogs.get(current.key) ?? fetchFrom(current);
      catalogs.set(current.key, known);
      known.catch(() => catalogs.delete(current.key));
      return await known;
    } catch (error) {
      log("opencode did not report its modes and models; using the built-in list", { error });
      return { modes: fallbackModes, models: fallbackModels };
    }
  }

  async function fetchFrom(current: Launch): Promise<Catalog> {
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

  return { modes: async () => (await load()).modes, models: async () => (await load()).models };
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

/** The response contains keys in clear text; only the fields of the schema are kept. */
const lists = new WeakMap<OpenCodeServer, Map<string, Promise<Providers>>>();

/** The providers of a server in a directory, whose configuration may add some. */
export function providersOf(server: OpenCodeServer, directory: string): Promise<Providers> {
  const known = lists.get(server) ?? new Map<string, Promise<Providers>>();
  lists.set(server, known);
  const list =
    known.get(directory) ?? requestAs(ProviderList, server, "GET", "/config/providers", { query: { directory } });
  known.set(directory, list);
  list.catch(() => known.delete(directory));
  return list;
}
