/** Builders for tool items of Codex: results are named after their call, and arguments may already be text. */
import type { ContentPart } from "@sandbox-agent/schema";
import * as items from "../../item-drafts.ts";

export function toolCall(identity: items.ItemIdentity, name: string, input: unknown): items.ItemShape {
  return items.toolCall(identity, name, typeof input === "string" ? input : JSON.stringify(input ?? {}));
}

/** The result of the call with this identity, as a separate item. */
export function toolResult({ id, parent }: items.ItemIdentity, output: string, more: ContentPart[] = []) {
  return items.toolResult({ id: resultId(id), parent }, id, output, more);
}

export function resultId(callId: string): string {
  return `${callId}#result`;
}
