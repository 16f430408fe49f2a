/** Agents: lists them with their capabilities, and installs them. */
import { type AgentInfo, initialState } from "@sandbox-agent/schema";
import { configOptions } from "../compat/acp/translate/settings.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

export function agentHandlers({ agents, agentCatalog, sessions }: HttpContext) {
  const agentInfo = async (agentId: string): Promise<AgentInfo> => {
    const agent = sessions.agent(agentId);
    const { id, name, capabilities } = agent;
    return { id, name, ...agents.origin(id), ...(await agent.inspect()), capabilities };
  };

  const choices = async (agentId: string) => {
    const agent = sessions.agent(agentId);
    const [modes, models] = await Promise.all([agent.modes(), agent.models()]);
    return configOptions(initialState.settings, { modes, models, permissionModes: agent.permissionModes });
  };

  return {
    listAgents: async () => ({ agents: await Promise.all(agents.ids().map(agentInfo)) }),
    async getAgent({ params, query }) {
      const info = await agentInfo(params.agent);
      return query.config ? { ...info, configOptions: await choices(params.agent) } : info;
    },
    defineAgent({ params, body }) {
      agents.define(params.agent, body);
      return agentInfo(params.agent);
    },
    removeAgent: ({ params }) => agents.remove(params.agent),
    refreshAgentRegistry: ({ body }) => agentCatalog.refresh(body.url),
    async installAgent({ params, body }) {
      await sessions.agent(params.agent).install({ reinstall: body.reinstall ?? false, version: body.agentVersion });
    },
    getAgentModes: async ({ params }) => ({ modes: await sessions.agent(params.agent).modes() }),
    getAgentModels: ({ params }) => sessions.agent(params.agent).models(),
  } satisfies Partial<Handlers>;
}
