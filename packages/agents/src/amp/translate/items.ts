/** Builders for the drafts that Amp's messages become. Every draft carries the message it stems from. */
import type { ContentPart, ItemKind, ItemRole } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";

export interface ItemShape {
  id: string;
  parent?: string | null | undefined;
  kind: ItemKind;
  role: ItemRole | null;
  content: ContentPart[];
}

export function completed({ id, parent, ...shape }: ItemShape, raw: unknown, { failed = false } = {}): Draft {
  const item = { native_item_id: id, ...shape, ...(parent && { native_parent_id: parent }) };
  return { type: "item.completed", item, failed, raw };
}

/** What the translator does not know is passed on as it is. */
export function unknownItem(id: string, raw: unknown): Draft {
  return completed({ id, kind: "unknown", role: null, content: [{ type: "json", json: raw }] }, raw);
}
