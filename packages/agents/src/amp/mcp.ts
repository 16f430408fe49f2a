/** MCP servers of a session, in the words of Amp. They are handed over in a file: headers may hold secrets. */
import type { McpServerConfig } from "@sandbox-agent/schema";

type Variables = Readonly<Record<string, string | undefined>>;
type Remote = Extract<McpServerConfig, { url: unknown }>;

export type NativeServer =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

/** `env`: where tokens and headers that are named by a variable are taken from. */
export function nativeServers(servers: Record<string, McpServerConfig>, env: Variables): Record<string, NativeServer> {
  const enabled = Object.entries(servers).filter(([, { enabled = true }]) => enabled);
  return Object.fromEntries(enabled.map(([name, server]) => [name, native(server, env)]));
}

function native(server: McpServerConfig, variables: Variables): NativeServer {
  if ("url" in server)
    return { url: server.url, headers: { ...server.headers, ...variableHeaders(server, variables) } };
  const [command = "", ...args] = [...[server.command].flat(), ...(server.args ?? [])];
  const env = { ...server.environment, ...server.env };
  // Amp starts servers in its own directory and has no setting for it.
  if (server.cwd === undefined) return { command, args, env };
  return { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', server.cwd, command, ...args], env };
}

function variableHeaders({ bearerTokenEnvVar, envHeaders, envHttpHeaders }: Remote, env: Variables) {
  const named = Object.entries({ ...envHttpHeaders, ...envHeaders }).flatMap(([header, variable]) => {
    const value = env[variable];
    return value === undefined ? [] : [[header, value] as const];
  });
  const token = bearerTokenEnvVar === undefined ? undefined : env[bearerTokenEnvVar];
  return { ...Object.fromEntries(named), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
