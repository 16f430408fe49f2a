/** Messages to Pi: the text, images as the model takes them, other files by their path. */
import type { Turn } from "../agent.ts";
import { withImages } from "../images.ts";

export type NativePrompt = Awaited<ReturnType<typeof nativePrompt>>;

/** Larger ones are left for the agent to read: it scales them down. */
const maxImageBytes = 20_000_000;

export async function nativePrompt(turn: Turn, directory: string) {
  const { text: message, images } = await withImages(turn, directory, maxImageBytes);
  const native = images.map(({ mime, base64 }) => ({ type: "image", data: base64, mimeType: mime }));
  return { message, ...(native.length > 0 && { images: native }) };
}
