/** Builders for items and drafts. `raw` is the agent's message from which a draft is made. */
import type { ContentPart, ItemKind, ItemRole } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft, DraftItem } from "./draft.ts";

export interface ItemIdentity {
  id: string;
  /** The item that this one belongs to, such as the call that started a subagent. */
  parent?: string | null | undefined;
}

export interface ItemShape extends ItemIdentity {
  kind: ItemKind;
  role: ItemRole | null;
  content: ContentPart[];
}

// ── Drafts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function draftItem({ id, parent, kind, role, content }: ItemShape): DraftItem {
  return { native_item_id: id, kind, role, content, ...(parent && { native_parent_id: parent }) };
}

export function started(shape: ItemShape, raw?: unknown): Draft {
  return { type: "item.started", item: draftItem(shape), raw };
}

export function completed(shape: ItemShape, raw?: unknown, { failed = false } = {}): Draft {
  return { type: "item.completed", item: draftItem(shape), failed, raw };
}

/** An item that starts and completes at once. */
export function whole(shape: ItemShape, { failed = false } = {}): Draft[] {
  return [started(shape), completed(shape, undefined, { failed })];
}

export function delta(id: string, text: string, raw?: unknown): Draft {
  return { type: "item.delta", native_item_id: id, delta: text, raw };
}

/** A notice: a label, details, and optionally structured data. */
export function notice(
  id: string,
  { label, detail, json, parent }: { label: string; detail?: string | null; json?: unknown; parent?: string | null },
  raw?: unknown,
): Draft {
  return completed(status({ id, parent }, label, detail, json), raw);
}

/** A message of an unknown kind, passed on as JSON. */
export function unknownItem(id: string, raw: unknown): Draft {
  return completed(unknown({ id }, raw), raw);
}

/** A message that does not match its schema. */
export function unparsed(location: string, error: unknown, raw: unknown): Draft {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return { type: "agent.unparsed", unparsed: { error: message, location }, raw };
}

/** A line that is not JSON, cut to the length that is needed to recognize it. */
export function unparsedLine(location: string, line: string): Draft {
  return unparsed(location, "not a line of JSON", line.slice(0, 10_000));
}

// ── Items ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export function message(identity: ItemIdentity, content: ContentPart[], role: ItemRole = "assistant"): ItemShape {
  return { ...identity, kind: "message", role, content };
}

/** `input` is the JSON text of the arguments. */
export function toolCall(identity: ItemIdentity, name: string, input: string, callId = identity.id): ItemShape {
  const call: ContentPart = { type: "tool_call", name, arguments: input, call_id: callId };
  return { ...identity, kind: "tool_call", role: "assistant", content: [call] };
}

/** The id of the result of a call, for agents that have no id for results. */
export function resultId(callId: string): string {
  return `${callId}:result`;
}

export function toolResult(
  identity: ItemIdentity,
  callId: string,
  output: string,
  more: ContentPart[] = [],
): ItemShape {
  const content: ContentPart[] = [{ type: "tool_result", call_id: callId, output }, ...more];
  return { ...identity, kind: "tool_result", role: "tool", content };
}

export function status(identity: ItemIdentity, label: string, detail?: string | null, json?: unknown): ItemShape {
  const content: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }];
  if (json !== undefined) content.push({ type: "json", json });
  return { ...identity, kind: "status", role: null, content };
}

/** An item of a kind that the translator does not know. */
export function unknown(identity: ItemIdentity, json: unknown): ItemShape {
  return { ...identity, kind: "unknown", role: null, content: [{ type: "json", json }] };
}
