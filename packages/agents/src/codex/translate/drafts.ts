/** Builders for the drafts the translator makes. */
import type { ContentPart, ItemKind, ItemRole } from "@sandbox-agent/schema";
import type { Draft, DraftItem } from "../../draft.ts";

/** Which item of which parent a draft is about. Children are what a subagent says and does. */
export interface ItemIdentity {
  id: string;
  parent: string | undefined;
}

export function message(identity: ItemIdentity, role: ItemRole, content: ContentPart[]): DraftItem {
  return draftItem(identity, "message", role, content);
}

export function status(identity: ItemIdentity, label: string, detail?: string, json?: unknown): DraftItem {
  const parts: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }];
  if (json !== undefined) parts.push({ type: "json", json });
  return draftItem(identity, "status", null, parts);
}

export function toolCall(identity: ItemIdentity, name: string, input: unknown): DraftItem {
  const argumentsText = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return draftItem(identity, "tool_call", "assistant", [
    { type: "tool_call", name, arguments: argumentsText, call_id: identity.id },
  ]);
}

/** The result of the call with this identity, as an item of its own. */
export function toolResult({ id, parent }: ItemIdentity, output: string, parts: ContentPart[] = []): DraftItem {
  const identity = { id: resultId(id), parent };
  return draftItem(identity, "tool_result", "tool", [{ type: "tool_result", call_id: id, output }, ...parts]);
}

export function unknownItem(identity: ItemIdentity, json: unknown): DraftItem {
  return draftItem(identity, "unknown", null, [{ type: "json", json }]);
}

export function resultId(callId: string): string {
  return `${callId}#result`;
}

export function started(item: DraftItem): Draft {
  return { type: "item.started", item };
}

export function completed(item: DraftItem, failed = false): Draft {
  return { type: "item.completed", item, failed };
}

/** An item that has no life of its own: begun and done at once. */
export function whole(item: DraftItem, failed = false): Draft[] {
  return [started(item), completed(item, failed)];
}

export function delta(id: string, text: string): Draft {
  return { type: "item.delta", native_item_id: id, delta: text };
}

function draftItem(
  { id, parent }: ItemIdentity,
  kind: ItemKind,
  role: ItemRole | null,
  content: ContentPart[],
): DraftItem {
  return { native_item_id: id, ...(parent !== undefined && { native_parent_id: parent }), kind, role, content };
}
