/** Parts of an MCP server configuration that several agents convert to their own format. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import type { Variables } from "./variables.ts";

export type LocalServer = Extract<McpServerConfig, { command: unknown }>;
export type RemoteServer = Extract<McpServerConfig, { url: unknown }>;

export function enabledServers(servers: Record<string, McpServerConfig>): [name: string, server: McpServerConfig][] {
  return Object.entries(servers).filter(([, { enabled = true }]) => enabled);
}

/** The headers of a server, including those whose values come from variables in `env`. */
export function headersOf(
  { headers, bearerTokenEnvVar, envHeaders, envHttpHeaders }: RemoteServer,
  env: Variables,
): Record<string, string> {
  const named = Object.entries({ ...envHttpHeaders, ...envHeaders }).flatMap(([header, variable]) => {
    const value = env[variable];
    return value === undefined ? [] : [[header, value] as const];
  });
  const token = bearerTokenEnvVar === undefined ? undefined : env[bearerTokenEnvVar];
  return {
    ...headers,
    ...Object.fromEntries(named),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}

/** The variables that hold the token and the headers of a server. */
export function namedVariables(server: McpServerConfig): string[] {
  if ("command" in server) return [];
  const { bearerTokenEnvVar, envHeaders, envHttpHeaders } = server;
  return [...(bearerTokenEnvVar ? [bearerTokenEnvVar] : []), ...Object.values({ ...envHttpHeaders, ...envHeaders })];
}

/** Program, arguments and variables of a server, for agents whose format has no working directory. */
export function programOf({ command, args: more = [], env, environment, cwd }: LocalServer) {
  const [program = "", ...args] = [...[command].flat(), ...more];
  const variables = { ...environment, ...env };
  if (cwd === undefined) return { command: program, args, env: variables };
  return { command: "/bin/sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, program, ...args], env: variables };
}
