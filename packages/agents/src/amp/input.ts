/** Messages to Amp: a line of JSON with the text, images as the model takes them, other files by their path. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "../agent.ts";
import { promptText } from "../prompt.ts";

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Models refuse larger ones; the agent can still look at the file. */
const maxImageBytes = 3_500_000;

/** Amp refuses content that is no array. */
export async function userLine(turn: Turn, directory: string): Promise<string> {
  const loaded = await Promise.all(turn.attachments.map((attachment) => imageBlock(attachment, directory)));
  const images = loaded.filter((block) => block !== null);
  const rest = turn.attachments.filter((_, index) => loaded[index] === null);
  const text = { type: "text", text: promptText({ ...turn, attachments: rest }) };
  return JSON.stringify({ type: "user", message: { role: "user", content: [text, ...images] } });
}

async function imageBlock({ path, mime }: Attachment, directory: string): Promise<unknown> {
  if (!mime || !imageTypes.has(mime)) return null;
  const bytes = await readFile(resolve(directory, path)).catch((cause) => {
    throw new ProblemError("invalid_request", `the attachment ${path} cannot be read: ${String(cause)}`);
  });
  if (bytes.byteLength > maxImageBytes) return null;
  return { type: "image", source: { type: "base64", media_type: mime, data: bytes.toString("base64") } };
}
