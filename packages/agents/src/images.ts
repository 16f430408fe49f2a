/** Images of a message for agents that pass them to the model. Other files, and larger images, are listed by path. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "./agent.ts";
import { promptText } from "./prompt.ts";

export interface LoadedImage {
  mime: string;
  base64: string;
}

const types = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The text lists the attachments that are not among the images. */
export async function withImages(
  turn: Turn,
  directory: string,
  maxBytes: number,
): Promise<{ text: string; images: LoadedImage[] }> {
  const loaded = await Promise.all(turn.attachments.map((attachment) => load(attachment, directory, maxBytes)));
  const attachments = turn.attachments.filter((_, index) => loaded[index] === null);
  return { text: promptText({ ...turn, attachments }), images: loaded.filter((image) => image !== null) };
}

async function load({ path, mime }: Attachment, directory: string, maxBytes: number): Promise<LoadedImage | null> {
  if (!mime || !types.has(mime)) return null;
  const bytes = await readFile(resolve(directory, path)).catch((cause) => {
    throw new ProblemError("invalid_request", `the attachment ${path} cannot be read: ${String(cause)}`);
  });
  return bytes.byteLength > maxBytes ? null : { mime, base64: bytes.toString("base64") };
}

/** An image block of Anthropic's Messages API. */
export function imageBlock({ mime, base64 }: LoadedImage) {
  return { type: "image", source: { type: "base64", media_type: mime, data: base64 } };
}
