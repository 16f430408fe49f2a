/** Builders for the drafts the mock's scripts are made of. */
import type { ContentPart, ItemKind, ItemRole } from "@sandbox-agent/schema";
import type { Draft, DraftItem } from "../draft.ts";

export function item(
  id: string,
  kind: ItemKind,
  role: ItemRole | null,
  content: ContentPart[],
  parent?: string,
): DraftItem {
  return { native_item_id: id, kind, role, content, ...(parent !== undefined && { native_parent_id: parent }) };
}

export function toolCall(id: string, name: string, input: unknown, callId: string, parent?: string): DraftItem {
  const part: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(input), call_id: callId };
  return item(id, "tool_call", "assistant", [part], parent);
}

export function toolResult(id: string, callId: string, output: string, parent?: string): DraftItem {
  return item(id, "tool_result", "tool", [{ type: "tool_result", call_id: callId, output }], parent);
}

export function started(draftItem: DraftItem): Draft {
  return { type: "item.started", item: draftItem };
}

export function completed(draftItem: DraftItem, { failed = false } = {}): Draft {
  return { type: "item.completed", item: draftItem, failed };
}

export function whole(draftItem: DraftItem): Draft[] {
  return [started(draftItem), completed(draftItem)];
}

export function delta(id: string, text: string): Draft {
  return { type: "item.delta", native_item_id: id, delta: text };
}

export function message(id: string, content: ContentPart[], parent?: string): Draft[] {
  const whole = item(id, "message", "assistant", content, parent);
  return [started({ ...whole, content: [] }), completed(whole)];
}

export function say(id: string, words: string, parent?: string): Draft[] {
  return message(id, [text(words)], parent);
}

export function text(words: string): ContentPart {
  return { type: "text", text: words };
}
