/** Builders for the drafts the translator makes. */
import type { ContentPart, ItemRole } from "@sandbox-agent/schema";
import type { Draft, DraftItem } from "../../draft.ts";
import { draftItem } from "../../item-drafts.ts";

/** Which item of which parent a draft is about. Children are what a subagent says and does. */
export interface ItemIdentity {
  id: string;
  parent: string | undefined;
}

export function message(identity: ItemIdentity, role: ItemRole, content: ContentPart[]): DraftItem {
  return draftItem({ ...identity, kind: "message", role, content });
}

export function status(identity: ItemIdentity, label: string, detail?: string, json?: unknown): DraftItem {
  const parts: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }];
  if (json !== undefined) parts.push({ type: "json", json });
  return draftItem({ ...identity, kind: "status", role: null, content: parts });
}

export function toolCall(identity: ItemIdentity, name: string, input: unknown): DraftItem {
  const argumentsText = typeof input === "string" ? input : JSON.stringify(input ?? {});
  const call: ContentPart = { type: "tool_call", name, arguments: argumentsText, call_id: identity.id };
  return draftItem({ ...identity, kind: "tool_call", role: "assistant", content: [call] });
}

/** The result of the call with this identity, as an item of its own. */
export function toolResult({ id, parent }: ItemIdentity, output: string, parts: ContentPart[] = []): DraftItem {
  const content: ContentPart[] = [{ type: "tool_result", call_id: id, output }, ...parts];
  return draftItem({ id: resultId(id), parent, kind: "tool_result", role: "tool", content });
}

export function unknownItem(identity: ItemIdentity, json: unknown): DraftItem {
  return draftItem({ ...identity, kind: "unknown", role: null, content: [{ type: "json", json }] });
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
