/** Messages to Pi: text, images as content, other files by path. */
import type { Turn } from "../agent.ts";
import { withImages } from "../images.ts";

export type NativePrompt = Awaited<ReturnType<typeof nativePrompt>>;

/** Larger images are listed by path; the agent scales images down that it reads itself. */
const maxImageBytes = 20_000_000;

export async function nativePrompt(turn: Turn, directory: string) {
  const { text: message, images } = await withImages(turn, directory, maxImageBytes);
  const native = images.map(({ mime, base64 }) => ({ type: "image", data: base64, mimeType: mime }));
  return { message, ...(native.length > 0 && { images: native }) };
}
