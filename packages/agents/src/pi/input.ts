/** Messages to Pi: the text, images as the model takes them, other files by their path. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "../agent.ts";
import { promptText } from "../prompt.ts";

export interface NativePrompt {
  message: string;
  images?: NativeImage[];
}

interface NativeImage {
  type: "image";
  data: string;
  mimeType: string;
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Larger ones are left for the agent to read: it scales them down. */
const maxImageBytes = 20_000_000;

export async function nativePrompt(turn: Turn, directory: string): Promise<NativePrompt> {
  const loaded = await Promise.all(turn.attachments.map((attachment) => imageOf(attachment, directory)));
  const images = loaded.filter((image) => image !== null);
  const rest = turn.attachments.filter((_, index) => loaded[index] === null);
  const message = promptText({ ...turn, attachments: rest });
  return { message, ...(images.length > 0 && { images }) };
}

async function imageOf({ path, mime }: Attachment, directory: string): Promise<NativeImage | null> {
  if (!mime || !imageTypes.has(mime)) return null;
  const bytes = await readFile(resolve(directory, path)).catch((cause) => {
    throw new ProblemError("invalid_request", `the attachment ${path} cannot be read: ${String(cause)}`);
  });
  if (bytes.byteLength > maxImageBytes) return null;
  return { type: "image", data: bytes.toString("base64"), mimeType: mime };
}
