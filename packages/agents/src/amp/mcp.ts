/** MCP servers of a session in Amp's format. They are passed in a file, because headers may contain secrets. */
import type { McpServerConfig } from "@sandbox-agent/schema";
import { enabledServers, headersOf, programOf } from "../mcp-servers.ts";
import type { Variables } from "../variables.ts";

export type NativeServer =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

/** `env`: the variables that tokens and headers may refer to. */
export function nativeServers(servers: Record<string, McpServerConfig>, env: Variables): Record<string, NativeServer> {
  return Object.fromEntries(
    enabledServers(servers).map(([name, server]) => [
      name,
      "url" in server ? { url: server.url, headers: headersOf(server, env) } : programOf(server),
    ]),
  );
}
