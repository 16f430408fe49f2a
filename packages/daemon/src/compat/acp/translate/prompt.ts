/** Converts ACP prompts and MCP servers to the universal schema. Pure, except for the files that `keep` writes. */
import { fileURLToPath } from "node:url";
import type { ContentBlock, McpServer } from "@agentclientprotocol/sdk/unstable";
import { type Attachment, type McpServerConfig, ProblemError } from "@sandbox-agent/schema";

export interface Prompt {
  message: string;
  attachments: Attachment[];
}

/** Stores base64 data as a file and returns its path. */
export type KeepFile = (data: string, mime: string) => Promise<string>;

export async function promptOf(blocks: readonly ContentBlock[], keep: KeepFile): Promise<Prompt> {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "image":
      case "audio":
        attachments.push({ path: await keep(block.data, block.mimeType), mime: block.mimeType });
        break;
      case "resource_link": {
        const path = localPath(block.uri);
        if (path === null) texts.push(`[${block.name}](${block.uri})`);
        else attachments.push({ path, filename: block.name, ...(block.mimeType && { mime: block.mimeType }) });
        break;
      }
      case "resource": {
        const { resource } = block;
        if ("text" in resource) texts.push(`<resource uri="${resource.uri}">\n${resource.text}\n</resource>`);
        else {
          const mime = resource.mimeType ?? "application/octet-stream";
          attachments.push({ path: await keep(resource.blob, mime), mime });
        }
      }
    }
  }
  // Agents need text: for a prompt with files only, it is their names.
  const message = texts.join("\n\n").trim() || attachments.map(({ path }) => path).join("\n");
  if (message === "") throw new ProblemError("invalid_request", "the prompt is empty");
  return { message, attachments };
}

export function mcpOf(servers: readonly McpServer[]): Record<string, McpServerConfig> {
  return Object.fromEntries(servers.map((server) => [server.name, mcpConfig(server)]));
}

function mcpConfig(server: McpServer): McpServerConfig {
  if (!("type" in server)) return { type: "stdio", command: server.command, args: server.args, env: pairs(server.env) };
  if (server.type === "acp")
    throw new ProblemError("invalid_request", `MCP server "${server.name}": MCP over ACP is not supported`);
  return { type: "http", url: server.url, headers: pairs(server.headers), transport: server.type };
}

function pairs(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

function localPath(uri: string): string | null {
  if (!uri.startsWith("file:")) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
