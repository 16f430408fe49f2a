/** Agents: what there is, what it can do, and installing it. */
import type { Agent } from "@sandbox-agent/agents";
import type { AgentInfo } from "@sandbox-agent/schema";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

type AgentHandlers = Pick<Handlers, "listAgents" | "getAgent" | "installAgent" | "getAgentModes" | "getAgentModels">;

export function agentHandlers({ agents, sessions }: HttpContext): AgentHandlers {
  return {
    listAgents: async () => ({ agents: await Promise.all([...agents.values()].map(agentInfo)) }),
    getAgent: ({ params }) => agentInfo(sessions.agent(params.agent)),
    async installAgent({ params, body }) {
      await sessions.agent(params.agent).install({ reinstall: body.reinstall ?? false, version: body.agentVersion });
      return undefined;
    },
    getAgentModes: async ({ params }) => ({ modes: await sessions.agent(params.agent).modes() }),
    getAgentModels: ({ params }) => sessions.agent(params.agent).models(),
  };
}

async function agentInfo(agent: Agent): Promise<AgentInfo> {
  const { id, name, capabilities } = agent;
  return { id, name, ...(await agent.inspect()), capabilities };
}
