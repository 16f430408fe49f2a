/** Messages to Claude Code: the text, images as the model takes them, other files by their path. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "../agent.ts";
import { promptText } from "../prompt.ts";

export interface NativeUserMessage {
  type: "user";
  uuid: string;
  parent_tool_use_id: null;
  session_id: "";
  message: { role: "user"; content: unknown };
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** The provider refuses larger ones; the agent scales down what it reads itself. */
const maxImageBytes = 3_500_000;

export async function userMessage(turn: Turn, uuid: string, directory: string): Promise<NativeUserMessage> {
  const loaded = await Promise.all(turn.attachments.map((attachment) => imageBlock(attachment, directory)));
  const images = loaded.filter((block) => block !== null);
  const rest = turn.attachments.filter((_, index) => loaded[index] === null);
  const text = promptText({ ...turn, attachments: rest });
  const content = images.length === 0 ? text : [...images, { type: "text", text }];
  return { type: "user", uuid, parent_tool_use_id: null, session_id: "", message: { role: "user", content } };
}

async function imageBlock({ path, mime }: Attachment, directory: string): Promise<unknown> {
  if (!mime || !imageTypes.has(mime)) return null;
  const bytes = await readFile(resolve(directory, path)).catch((cause) => {
    throw new ProblemError("invalid_request", `the attachment ${path} cannot be read: ${String(cause)}`);
  });
  if (bytes.byteLength > maxImageBytes) return null;
  return { type: "image", source: { type: "base64", media_type: mime, data: bytes.toString("base64") } };
}
