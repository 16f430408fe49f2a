/** Builders for the drafts that an agent's messages become. Every draft carries the message it stems from. */
import type { ContentPart, ItemKind, ItemRole } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft, DraftItem } from "./draft.ts";

export interface ItemShape {
  id: string;
  parent?: string | null | undefined;
  kind: ItemKind;
  role: ItemRole | null;
  content: ContentPart[];
}

export function draftItem({ id, parent, kind, role, content }: ItemShape): DraftItem {
  return { native_item_id: id, kind, role, content, ...(parent && { native_parent_id: parent }) };
}

export function started(shape: ItemShape, raw: unknown): Draft {
  return { type: "item.started", item: draftItem(shape), raw };
}

export function completed(shape: ItemShape, raw: unknown, { failed = false } = {}): Draft {
  return { type: "item.completed", item: draftItem(shape), failed, raw };
}

export function delta(id: string, text: string, raw: unknown): Draft {
  return { type: "item.delta", native_item_id: id, delta: text, raw };
}

/** A notice: what happened, and where it helps a structured form of it. */
export function notice(
  id: string,
  { label, detail, json, parent }: { label: string; detail?: string | null; json?: unknown; parent?: string | null },
  raw: unknown,
): Draft {
  const content: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }];
  if (json !== undefined) content.push({ type: "json", json });
  return completed({ id, parent, kind: "status", role: null, content }, raw);
}

/** What the translator does not know is passed on as it is. */
export function unknownItem(id: string, raw: unknown): Draft {
  return completed({ id, kind: "unknown", role: null, content: [{ type: "json", json: raw }] }, raw);
}

/** A message that cannot be read. */
export function unparsed(location: string, error: unknown, raw: unknown): Draft {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return { type: "agent.unparsed", unparsed: { error: message, location }, raw };
}

/** A line that is no message, with as much of it as it takes to recognise it. */
export function unparsedLine(location: string, line: string): Draft {
  return unparsed(location, "not a line of JSON", line.slice(0, 10_000));
}
