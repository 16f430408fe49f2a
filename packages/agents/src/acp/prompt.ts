/** A turn as the content of a prompt: the text, images if the agent supports them, links to all other files. */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "../agent.ts";
import type { AgentAbilities } from "./native.ts";

/** Providers reject larger images; they are sent as links. */
const maxImageBytes = 3_500_000;

/** `history`: the conversation so far, for an agent that could not resume it. */
export async function promptBlocks(
  { text, attachments }: Turn,
  directory: string,
  { promptCapabilities }: AgentAbilities,
  history: string | null,
): Promise<ContentBlock[]> {
  const prompt = history === null ? text : `${historyNote}\n\n${history}\n\n---\n\n${text}`;
  const blocks: ContentBlock[] = [{ type: "text", text: prompt }];
  if (attachments.length === 0) return blocks;
  const files = attachments.map((attachment) => fileBlock(attachment, directory, promptCapabilities.image));
  return [...blocks, ...(await Promise.all(files))];
}

const historyNote =
  "This conversation continues after an interruption. Its history follows; the new message is below the line.";

async function fileBlock(
  { path, mime, filename }: Attachment,
  directory: string,
  takesImages: boolean,
): Promise<ContentBlock> {
  const file = resolve(directory, path);
  const link: ContentBlock = {
    type: "resource_link",
    uri: pathToFileURL(file).href,
    name: filename ?? basename(file),
    ...(mime && { mimeType: mime }),
  };
  if (!takesImages || !mime?.startsWith("image/")) return link;
  const bytes = await readFile(file).catch((cause) => {
    throw new ProblemError("invalid_request", `the attachment ${path} cannot be read: ${String(cause)}`);
  });
  if (bytes.byteLength > maxImageBytes) return link;
  return { type: "image", data: bytes.toString("base64"), mimeType: mime };
}
