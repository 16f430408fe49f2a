/** MCP servers of a session, in the words of ACP. */
import type { McpServer } from "@agentclientprotocol/sdk";
import { type McpServerConfig, ProblemError } from "@sandbox-agent/schema";
import type { AgentAbilities } from "./native.ts";

type Variables = Readonly<Record<string, string | undefined>>;
type Local = Extract<McpServerConfig, { command: unknown }>;
type Remote = Extract<McpServerConfig, { url: unknown }>;

/** `env`: where tokens and headers that are named by a variable are taken from. Throws for what the agent cannot use. */
export function nativeServers(
  agent: string,
  servers: Record<string, McpServerConfig>,
  { mcpCapabilities }: AgentAbilities,
  env: Variables,
): McpServer[] {
  return Object.entries(servers)
    .filter(([, { enabled = true }]) => enabled)
    .map(([name, server]) => {
      if ("command" in server) return local(name, server);
      const type = server.transport === "sse" ? "sse" : "http";
      if (!mcpCapabilities[type])
        throw new ProblemError("invalid_request", `${agent} cannot use MCP servers over ${type}, such as ${name}`, {
          agent,
        });
      return { type, name, url: server.url, headers: pairs({ ...server.headers, ...variableHeaders(server, env) }) };
    });
}

function local(name: string, { command, args = [], env, environment, cwd }: Local): McpServer {
  const [program = "", ...rest] = [...[command].flat(), ...args];
  const variables = pairs({ ...environment, ...env });
  // The protocol has no word for a server's directory.
  if (cwd !== undefined)
    return { name, command: "/bin/sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, program, ...rest], env: variables };
  return { name, command: program, args: rest, env: variables };
}

function variableHeaders({ bearerTokenEnvVar, envHeaders, envHttpHeaders }: Remote, env: Variables) {
  const named = Object.entries({ ...envHttpHeaders, ...envHeaders }).flatMap(([header, variable]) => {
    const value = env[variable];
    return value === undefined ? [] : [[header, value] as const];
  });
  const token = bearerTokenEnvVar === undefined ? undefined : env[bearerTokenEnvVar];
  return { ...Object.fromEntries(named), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}

function pairs(values: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
