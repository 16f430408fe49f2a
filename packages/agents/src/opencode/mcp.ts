/** MCP servers of a session in OpenCode's configuration format. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import { headersOf } from "../mcp-servers.ts";
import type { Variables } from "../variables.ts";
import type { McpLocalConfig, McpRemoteConfig } from "./generated/api.ts";

/** `env`: the variables that tokens and headers may refer to. */
export function mcpConfig(
  servers: Record<string, McpServerConfig>,
  env: Variables,
): Record<string, McpLocalConfig | McpRemoteConfig> {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, native(server, env)]));
}

function native(server: McpServerConfig, env: Variables): McpLocalConfig | McpRemoteConfig {
  const timeout = server.timeoutMs ?? server.timeout;
  const shared = {
    ...(server.enabled !== undefined && { enabled: server.enabled }),
    ...(timeout !== undefined && { timeout: Math.ceil(timeout) }),
  };
  if ("command" in server) {
    const environment = { ...server.environment, ...server.env };
    return {
      type: "local",
      command: [...[server.command].flat(), ...(server.args ?? [])],
      ...(Object.keys(environment).length > 0 && { environment }),
      ...(server.cwd !== undefined && { cwd: server.cwd }),
      ...shared,
    };
  }
  const headers = headersOf(server, env);
  return {
    type: "remote",
    url: server.url,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(server.oauth !== undefined && { oauth: server.oauth }),
    ...shared,
  };
}
