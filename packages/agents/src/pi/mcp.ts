/**
 * MCP servers of a session. Pi has no MCP support, so the servers run here, and the extension offers their tools to the
 * model: a call arrives as a dialog and is answered with the server's result.
 */
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpServerConfig } from "@sandbox-agent/schema";
import { enabledServers, headersOf, type LocalServer } from "../mcp-servers.ts";
import { ownerVariable, processVariable, sweepLeftovers } from "../process/tree.ts";
import type { Variables } from "../variables.ts";
import type { OfferedTool } from "./extension.ts";
import { passedOn } from "./launch.ts";

export interface Surroundings {
  directory: string;
  /** The variables that tokens and headers may refer to. */
  env: Variables;
  /** What programs get of it. */
  inherited: Variables;
  /** Marks the processes of this daemon. */
  owner: string;
}

export interface McpServers {
  tools: OfferedTool[];
  /** Servers that did not start, with the cause. */
  failed: { name: string; cause: string }[];
  /** Never throws: a failure is a result with `isError`. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
  close(): Promise<void>;
}

export interface McpCall {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

export interface McpResult {
  isError: boolean;
  content: ({ type: "text"; text: string } | { type: "image"; data: string; mimeType: string })[];
}

/** How long the start of a session waits for a server. */
const startMs = 10_000;
const callMs = 10 * 60_000;

export async function startServers(
  servers: Record<string, McpServerConfig>,
  surroundings: Surroundings,
): Promise<McpServers> {
  const mark = crypto.randomUUID();
  const clients = new Map<string, { client: Client; timeout: number }>();
  const failed: McpServers["failed"] = [];
  const enabled = enabledServers(servers);

  async function start([name, server]: [string, McpServerConfig]): Promise<OfferedTool[]> {
    const client = new Client({ name: "sandbox-agent", version: "1" });
    try {
      await client.connect(transport(server, { ...surroundings, mark }), { timeout: startMs });
      const { tools } = await client.listTools({}, { timeout: startMs });
      clients.set(name, { client, timeout: server.timeoutMs ?? server.timeout ?? callMs });
      return tools.map(({ name: tool, description = "", inputSchema }) => {
        return { name: offeredName(name, tool), server: name, tool, description, parameters: inputSchema };
      });
    } catch (error) {
      failed.push({ name, cause: error instanceof Error ? error.message : String(error) });
      await client.close().catch(() => {});
      return [];
    }
  }

  const tools = (await Promise.all(enabled.map(start))).flat();
  return {
    tools,
    failed,
    async call({ server, tool, arguments: args }, signal) {
      const found = clients.get(server);
      if (!found) return failure(`the MCP server ${server} is not running`);
      try {
        const options = { timeout: found.timeout, signal };
        const { content, isError = false } = await found.client.callTool({ name: tool, arguments: args }, options);
        return { isError, content: content.map(nativeContent) };
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error));
      }
    },
    async close() {
      await Promise.all([...clients.values()].map(({ client }) => client.close().catch(() => {})));
      // Only for local servers, because the sweep scans all processes of the machine.
      if (enabled.some(([, server]) => "command" in server)) await sweepLeftovers(mark);
    },
  };
}

function failure(text: string): McpResult {
  return { isError: true, content: [{ type: "text", text }] };
}

/** Text and images are passed on; other blocks become JSON text. */
function nativeContent(block: { type: string }): McpResult["content"][number] {
  if (block.type === "text" && "text" in block) return { type: "text", text: String(block.text) };
  if (block.type === "image" && "data" in block && "mimeType" in block)
    return { type: "image", data: String(block.data), mimeType: String(block.mimeType) };
  return { type: "text", text: JSON.stringify(block) };
}

/** Providers accept only these characters, and at most 64 of them. */
export function offeredName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, "_").slice(0, 64);
}

function transport(server: McpServerConfig, surroundings: Surroundings & { mark: string }) {
  if ("command" in server) return localTransport(server, surroundings);
  const url = new URL(server.url);
  const options = { requestInit: { headers: headersOf(server, surroundings.env) } };
  return server.transport === "sse"
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

function localTransport(
  { command, args = [], env, environment, cwd }: LocalServer,
  { directory, inherited, owner, mark }: Surroundings & { mark: string },
) {
  const [program = "", ...rest] = [...[command].flat(), ...args];
  const marks = { [ownerVariable]: owner, [processVariable]: mark };
  const variables = { ...passedOn(inherited), ...environment, ...env, ...marks };
  return new StdioClientTransport({
    command: program,
    args: rest,
    env: variables,
    cwd: cwd ?? directory,
    stderr: "ignore",
    maxBufferSize: 64 * 1024 * 1024,
  });
}
