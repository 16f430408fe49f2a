/** MCP servers of a session, in the words of ACP. */
import type { McpServer } from "@agentclientprotocol/sdk";
import { type McpServerConfig, ProblemError } from "@sandbox-agent/schema";
import { enabledServers, headersOf, programOf } from "../mcp-servers.ts";
import type { Variables } from "../variables.ts";
import type { AgentAbilities } from "./native.ts";

/** `env`: where tokens and headers that are named by a variable are taken from. Throws for what the agent cannot use. */
export function nativeServers(
  agent: string,
  servers: Record<string, McpServerConfig>,
  { mcpCapabilities }: AgentAbilities,
  env: Variables,
): McpServer[] {
  return enabledServers(servers).map(([name, server]) => {
    if ("command" in server) {
      const program = programOf(server);
      return { ...program, name, env: pairs(program.env) };
    }
    const type = server.transport === "sse" ? "sse" : "http";
    if (!mcpCapabilities[type])
      throw new ProblemError("invalid_request", `${agent} cannot use MCP servers over ${type}, such as ${name}`, {
        agent,
      });
    return { type, name, url: server.url, headers: pairs(headersOf(server, env)) };
  });
}

function pairs(values: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
