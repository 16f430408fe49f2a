/** What the mock's scripts say, as drafts. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";
import { completed, type ItemIdentity, message, started } from "../item-drafts.ts";

export function say(id: string, words: string, parent?: string): Draft[] {
  return sayParts({ id, parent }, [text(words)]);
}

export function sayParts(identity: ItemIdentity, content: ContentPart[]): Draft[] {
  return [started(message(identity, [])), completed(message(identity, content))];
}

export function text(words: string): ContentPart {
  return { type: "text", text: words };
}
