/** Messages of the mock's scripts as drafts. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";
import { completed, type ItemIdentity, message, started } from "../item-drafts.ts";

export function textMessage(id: string, value: string, parent?: string): Draft[] {
  return wholeMessage({ id, parent }, [text(value)]);
}

export function wholeMessage(identity: ItemIdentity, content: ContentPart[]): Draft[] {
  return [started(message(identity, [])), completed(message(identity, content))];
}

export function text(value: string): ContentPart {
  return { type: "text", text: value };
}
