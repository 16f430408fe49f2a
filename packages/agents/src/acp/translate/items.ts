/** Builders for the drafts that ACP messages become. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft, DraftItem } from "../../draft.ts";
import { draftItem } from "../../item-drafts.ts";
import type { ContentBlock } from "../native.ts";

/** A message of the assistant, or a thought when its part is one. */
export function message(id: string, content: ContentPart[], parent: string | null): DraftItem {
  return draftItem({ id, parent, kind: "message", role: "assistant", content });
}

export function notice(id: string, label: string, detail: string | null | undefined, json?: unknown): Draft {
  const content: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }];
  if (json !== undefined) content.push({ type: "json", json });
  return { type: "item.completed", item: { native_item_id: id, kind: "status", role: null, content } };
}

export function unparsed(error: string, raw: unknown): Draft {
  return { type: "agent.unparsed", unparsed: { error, location: "ACP" }, raw };
}

/** Content other than text, as a part. Bytes without an address stay in `raw`. */
export function mediaPart(block: ContentBlock): ContentPart {
  const uri = block.uri ?? block.resource?.uri;
  const mime = block.mimeType ?? block.resource?.mimeType ?? null;
  const path = uri?.replace(/^file:\/\//, "") ?? block.type;
  if (block.type === "image") return { type: "image", path, mime };
  if (uri) return { type: "file_ref", path, action: "read" };
  return { type: "json", json: { type: block.type, mimeType: mime } };
}

/** The text of a block; null when it is of another type. */
export function textOfBlock(block: ContentBlock): string | null {
  if (block.type === "text") return block.text ?? "";
  return block.type === "resource" ? (block.resource?.text ?? null) : null;
}
