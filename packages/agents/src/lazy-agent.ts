/** An agent whose code is loaded on first use, because most daemons use only a few agents. */
import type { Agent, AgentDescription } from "./agent.ts";

export function lazyAgent(description: AgentDescription, load: () => Promise<Agent>): Agent {
  let loaded: Promise<Agent> | null = null;
  const agent = () => (loaded ??= load());
  return {
    ...description,
    inspect: async () => (await agent()).inspect(),
    install: async (options) => (await agent()).install(options),
    modes: async () => (await agent()).modes(),
    models: async () => (await agent()).models(),
    open: async (spec, sink) => (await agent()).open(spec, sink),
    close: async () => (await loaded)?.close?.(),
  };
}
