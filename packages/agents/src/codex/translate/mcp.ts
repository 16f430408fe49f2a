/** MCP servers of a session in Codex's configuration format. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import { namedVariables } from "../../mcp-servers.ts";

type Servers = Readonly<Record<string, McpServerConfig>>;

/** Configuration of a thread, by dotted key. */
export function mcpConfig(servers: Servers): Record<string, unknown> {
  const entries = Object.entries(servers).map(([name, server]) => [
    `mcp_servers.${nativeName(name)}`,
    serverConfig(server),
  ]);
  const secrets = Object.values(servers).flatMap(namedVariables);
  return {
    ...Object.fromEntries(entries),
    // Tokens for MCP servers are hidden from the commands that Codex runs.
    ...(secrets.length > 0 && { "shell_environment_policy.exclude": [...new Set(secrets)] }),
  };
}

/** Codex allows letters, digits, underscores and hyphens in names. */
function nativeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}

function serverConfig(server: McpServerConfig): Record<string, unknown> {
  const { enabled, timeoutMs = server.timeout } = server;
  const shared = {
    ...(enabled !== undefined && { enabled }),
    ...(timeoutMs !== undefined && { tool_timeout_sec: Math.ceil(timeoutMs / 1000) }),
  };
  if ("command" in server) {
    const [program, ...args] = [server.command].flat();
    const { args: more = [], env = server.environment, cwd } = server;
    return { command: program, args: [...args, ...more], ...(env && { env }), ...(cwd && { cwd }), ...shared };
  }
  const { url, headers, bearerTokenEnvVar, envHeaders = server.envHttpHeaders, oauth } = server;
  const scopes = oauth ? oauth.scope?.split(/\s+/).filter(Boolean) : undefined;
  return {
    url,
    ...(headers && { http_headers: headers }),
    ...(bearerTokenEnvVar && { bearer_token_env_var: bearerTokenEnvVar }),
    ...(envHeaders && { env_http_headers: envHeaders }),
    ...(scopes && { scopes }),
    ...shared,
  };
}
