/** Messages to Claude Code: text, images as content blocks, other files by path. */
import type { Turn } from "../agent.ts";
import { imageBlock, withImages } from "../images.ts";

/** The provider rejects larger images; the agent only scales down images that it reads itself. */
const maxImageBytes = 3_500_000;

export async function userMessage(turn: Turn, uuid: string, directory: string) {
  const { text, images } = await withImages(turn, directory, maxImageBytes);
  const content = images.length === 0 ? text : [...images.map(imageBlock), { type: "text", text }];
  return { type: "user", uuid, parent_tool_use_id: null, session_id: "", message: { role: "user", content } };
}
