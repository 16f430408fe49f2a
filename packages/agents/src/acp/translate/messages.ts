/**
 * Messages and thoughts of the agent, which arrive in chunks. The protocol has no end marker: a message ends when a chunk has
 * another id, or when another kind of update arrives.
 */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { GrowingText } from "../../growing-text.ts";
import { completed, delta, message, started } from "../../item-drafts.ts";
import type { ContentBlock } from "../native.ts";
import { mediaPart, textOfBlock } from "./blocks.ts";

type Kind = "text" | "thought";

interface Origin {
  messageId: string | null;
  /** The tool call of the subagent that sent the message. */
  parent: string | null;
}

interface OpenMessage extends Origin {
  id: string;
  kind: Kind;
  text: GrowingText;
  media: ContentPart[];
}

/** `prefix` makes ids unique across runs of the agent. */
export function createMessages(prefix: string) {
  const used = new Set<string>();
  let open: OpenMessage | null = null;
  let count = 0;

  function nextId(kind: Kind, messageId: string | null): string {
    count += 1;
    const base = messageId === null ? `${prefix}-message-${count}` : messageId;
    const id = kind === "thought" ? `${base}:thought` : base;
    const unique = used.has(id) ? `${id}#${count}` : id;
    used.add(unique);
    return unique;
  }

  function close(): Draft[] {
    if (!open) return [];
    const { id, kind, text, media, parent } = open;
    open = null;
    return [completed(message({ id, parent }, [...textParts(kind, text.toString()), ...media]))];
  }

  function chunk(kind: Kind, block: ContentBlock, { messageId, parent }: Origin): Draft[] {
    const text = textOfBlock(block);
    // Some agents send empty chunks that only carry `_meta`, and some start a message with a line break.
    if (text === "" || (!open && text?.trim() === "")) return [];
    const isSame = open?.kind === kind && open.messageId === messageId && open.parent === parent;
    const drafts: Draft[] = isSame ? [] : close();
    if (!open) {
      open = { id: nextId(kind, messageId), kind, messageId, parent, text: new GrowingText(), media: [] };
      drafts.push(started(message({ id: open.id, parent }, textParts(kind, ""))));
    }
    if (text === null) {
      open.media.push(mediaPart(block));
      return drafts;
    }
    open.text.add(text);
    drafts.push(delta(open.id, text));
    return drafts;
  }

  return { chunk, close };
}

function textParts(kind: Kind, text: string): ContentPart[] {
  if (kind === "thought") return [{ type: "reasoning", text, visibility: "public" }];
  return text === "" ? [] : [{ type: "text", text }];
}
