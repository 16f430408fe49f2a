/** Messages to Amp: a line of JSON with the text, images as the model takes them, other files by their path. */
import type { Turn } from "../agent.ts";
import { imageBlock, withImages } from "../images.ts";

/** Models refuse larger ones; the agent can still look at the file. */
const maxImageBytes = 3_500_000;

/** Amp refuses content that is no array. */
export async function userLine(turn: Turn, directory: string): Promise<string> {
  const { text, images } = await withImages(turn, directory, maxImageBytes);
  const content = [{ type: "text", text }, ...images.map(imageBlock)];
  return JSON.stringify({ type: "user", message: { role: "user", content } });
}
