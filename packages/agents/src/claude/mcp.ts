/** MCP servers of a session in Claude Code's format. They are sent over stdin, because headers may contain secrets. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import { enabledServers, headersOf, programOf } from "../mcp-servers.ts";
import type { Variables } from "../variables.ts";
import type { McpHttpServerConfig, McpSSEServerConfig, McpStdioServerConfig } from "./generated/protocol.ts";

export type NativeServer = McpStdioServerConfig | McpHttpServerConfig | McpSSEServerConfig;

/** `env`: the variables that tokens and headers may refer to. */
export function nativeServers(servers: Record<string, McpServerConfig>, env: Variables): Record<string, NativeServer> {
  return Object.fromEntries(enabledServers(servers).map(([name, server]) => [name, native(server, env)]));
}

function native(server: McpServerConfig, env: Variables): NativeServer {
  const timeout = server.timeoutMs ?? server.timeout;
  const limit = timeout === undefined ? {} : { timeout: Math.ceil(timeout) };
  if ("command" in server) return { type: "stdio", ...programOf(server), ...limit };
  const headers = headersOf(server, env);
  return { type: server.transport === "sse" ? "sse" : "http", url: server.url, headers, ...limit };
}
