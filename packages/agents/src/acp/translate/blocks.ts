/** Content blocks of messages, tools and requests. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { ContentBlock } from "../native.ts";

/** Content other than text, as a part. Bytes without a URI are only in `raw`. */
export function mediaPart(block: ContentBlock): ContentPart {
  const uri = block.uri ?? block.resource?.uri;
  const mime = block.mimeType ?? block.resource?.mimeType ?? null;
  const path = uri?.replace(/^file:\/\//, "") ?? block.type;
  if (block.type === "image") return { type: "image", path, mime };
  if (uri) return { type: "file_ref", path, action: "read" };
  return { type: "json", json: { type: block.type, mimeType: mime } };
}

/** The text of a block; null for other types. */
export function textOfBlock(block: ContentBlock): string | null {
  if (block.type === "text") return block.text ?? "";
  return block.type === "resource" ? (block.resource?.text ?? null) : null;
}
