/** MCP servers of a session, in the words of Claude Code. They are told over stdin: headers may hold secrets. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import type { McpHttpServerConfig, McpSSEServerConfig, McpStdioServerConfig } from "./generated/protocol.ts";

export type NativeServer = McpStdioServerConfig | McpHttpServerConfig | McpSSEServerConfig;

type Variables = Readonly<Record<string, string | undefined>>;
type Local = Extract<McpServerConfig, { command: unknown }>;
type Remote = Extract<McpServerConfig, { url: unknown }>;

/** `env`: where tokens and headers that are named by a variable are taken from. */
export function nativeServers(servers: Record<string, McpServerConfig>, env: Variables): Record<string, NativeServer> {
  const enabled = Object.entries(servers).filter(([, { enabled = true }]) => enabled);
  return Object.fromEntries(enabled.map(([name, server]) => [name, native(server, env)]));
}

function native(server: McpServerConfig, env: Variables): NativeServer {
  const timeout = server.timeoutMs ?? server.timeout;
  const limit = timeout === undefined ? {} : { timeout: Math.ceil(timeout) };
  if ("command" in server) return { ...local(server), ...limit };
  const headers = { ...server.headers, ...variableHeaders(server, env) };
  return { type: server.transport === "sse" ? "sse" : "http", url: server.url, headers, ...limit };
}

function local({ command, args = [], env, environment, cwd }: Local): McpStdioServerConfig {
  const [program = "", ...rest] = [...[command].flat(), ...args];
  const variables = { ...environment, ...env };
  // Claude Code starts servers in its own directory and has no setting for it.
  if (cwd !== undefined)
    return {
      type: "stdio",
      command: "sh",
      args: ["-c", 'cd "$0" && exec "$@"', cwd, program, ...rest],
      env: variables,
    };
  return { type: "stdio", command: program, args: rest, env: variables };
}

function variableHeaders({ bearerTokenEnvVar, envHeaders, envHttpHeaders }: Remote, env: Variables) {
  const named = Object.entries({ ...envHttpHeaders, ...envHeaders }).flatMap(([header, variable]) => {
    const value = env[variable];
    return value === undefined ? [] : [[header, value] as const];
  });
  const token = bearerTokenEnvVar === undefined ? undefined : env[bearerTokenEnvVar];
  return { ...Object.fromEntries(named), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
