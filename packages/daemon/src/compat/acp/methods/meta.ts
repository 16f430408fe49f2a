/** `initialize`, `authenticate` and the `_sandboxagent` methods about agents. */
import {
  type AuthenticateRequest,
  type InitializeRequest,
  type InitializeResponse,
  RequestError,
} from "@agentclientprotocol/sdk/unstable";
import { InstallRequest } from "@sandbox-agent/schema";
import * as z from "zod";
import { version } from "../../../version.ts";
import type { Connection } from "../connection.ts";

const machine = {
  id: "machine",
  name: "Credentials of the daemon's machine",
  description: "Log in to the agent where the daemon runs, or give the daemon its API key, then try again.",
};

export async function initialize(
  connection: Connection,
  { clientCapabilities = {} }: InitializeRequest,
): Promise<InitializeResponse> {
  connection.capabilities = clientCapabilities;
  const { agent } = connection;
  const { credentialsAvailable } = await agent.inspect();
  return {
    protocolVersion: 1,
    agentInfo: { name: agent.id, title: agent.name, version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: agent.capabilities.images, embeddedContext: true },
      mcpCapabilities: { http: agent.capabilities.mcpTools, sse: agent.capabilities.mcpTools },
      sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, delete: {} },
      _meta: { sandboxagent: { agent: agent.id, capabilities: agent.capabilities } },
    },
    authMethods: credentialsAvailable ? [] : [machine],
  };
}

/** The daemon finds credentials itself; this reports whether it has any. */
export async function authenticate({ agent }: Connection, { methodId }: AuthenticateRequest) {
  if (methodId !== machine.id)
    throw new RequestError(-32602, `there is no authentication method "${methodId}"; there is: ${machine.id}`);
  const { credentialsAvailable } = await agent.inspect();
  if (credentialsAvailable) return {};
  throw new RequestError(-32000, `no credentials for ${agent.name} were found. ${machine.description}`);
}

export async function listAgents({ context }: Connection) {
  const agents = context.agents.ids().map(async (id) => {
    const agent = context.sessions.agent(id);
    const { installed, credentialsAvailable } = await agent.inspect();
    return { id: agent.id, name: agent.name, installed, credentialsAvailable, capabilities: agent.capabilities };
  });
  return { agents: await Promise.all(agents) };
}

export const InstallParams = InstallRequest().extend({ agent: z.string() });

export async function installAgent({ context }: Connection, params: z.infer<typeof InstallParams>) {
  const { agent, reinstall = false, agentVersion } = params;
  await context.sessions.agent(agent).install({ reinstall, version: agentVersion });
  return {};
}
