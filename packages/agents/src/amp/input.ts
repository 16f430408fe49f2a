/** Messages to Amp: a line of JSON with text, images as content blocks, other files by path. */
import type { Turn } from "../agent.ts";
import { imageBlock, withImages } from "../images.ts";

/** Models reject larger images; they are listed by path. */
const maxImageBytes = 3_500_000;

/** The content is always an array: Amp rejects plain strings. */
export async function userLine(turn: Turn, directory: string): Promise<string> {
  const { text, images } = await withImages(turn, directory, maxImageBytes);
  const content = [{ type: "text", text }, ...images.map(imageBlock)];
  return JSON.stringify({ type: "user", message: { role: "user", content } });
}
