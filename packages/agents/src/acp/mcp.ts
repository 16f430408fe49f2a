/** MCP servers of a session in ACP's format. */
import type { McpServer } from "@agentclientprotocol/sdk";
import { type McpServerConfig, ProblemError } from "@sandbox-agent/schema";
import { enabledServers, headersOf, programOf } from "../mcp-servers.ts";
import type { Variables } from "../variables.ts";
import type { AgentAbilities } from "./native.ts";

/** `env`: the variables that tokens and headers may refer to. Throws for transports that the agent does not support. */
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
      throw new ProblemError("invalid_request", `${agent} does not support MCP servers over ${type}, such as ${name}`, {
        agent,
      });
    return { type, name, url: server.url, headers: pairs(headersOf(server, env)) };
  });
}

function pairs(values: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
