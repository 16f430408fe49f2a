/** Builders for the drafts the translator makes. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft, DraftItem } from "../../draft.ts";

export function draftItem(
  id: string,
  kind: DraftItem["kind"],
  role: DraftItem["role"],
  content: ContentPart[],
  parent: string | null,
): DraftItem {
  return { native_item_id: id, kind, role, content, ...(parent !== null && { native_parent_id: parent }) };
}

/** An item that is over as soon as it is there. */
export function atOnce(item: DraftItem, { failed = false } = {}): Draft[] {
  return [
    { type: "item.started", item },
    { type: "item.completed", item, failed },
  ];
}

export function notice(
  id: string,
  label: string,
  detail: string | null,
  more: ContentPart[],
  parent: string | null,
): Draft[] {
  return atOnce(
    draftItem(id, "status", "system", [{ type: "status", label, ...(detail && { detail }) }, ...more], parent),
  );
}
