/** What the model says and thinks: text and reasoning parts, each an item whose text arrives in deltas. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import type { ReasoningPart, TextPart } from "../generated/api.ts";
import { draftItem } from "./items.ts";

interface Utterance {
  type: "text" | "reasoning";
  session: string;
  parent: string | null;
  text: string;
  started: boolean;
}

export function createSpeech() {
  const open = new Map<string, Utterance>();
  /** Parts that were cut off: the agent still completes the last of them when the turn is aborted. */
  const cut = new Set<string>();

  /** The beginning or the end of a part; what lies between comes as deltas. */
  function part({ id, sessionID, type, text, time }: TextPart | ReasoningPart, parent: string | null): Draft[] {
    if (cut.has(id)) return [];
    const utterance = open.get(id) ?? { type, session: sessionID, parent, text: "", started: false };
    open.set(id, utterance);
    if (!time?.end) return extend(id, utterance, text.slice(utterance.text.length));
    open.delete(id);
    // Models often open a thought and leave it empty.
    if (!utterance.started && text === "") return [];
    return [{ type: "item.completed", item: item(id, { ...utterance, text }) }];
  }

  function delta(id: string, added: string): Draft[] {
    const utterance = open.get(id);
    return utterance ? extend(id, utterance, added) : [];
  }

  function extend(id: string, utterance: Utterance, added: string): Draft[] {
    if (added === "") return [];
    const start: Draft[] = utterance.started
      ? []
      : [{ type: "item.started", item: item(id, { ...utterance, text: "" }) }];
    utterance.started = true;
    utterance.text += added;
    return [...start, { type: "item.delta", native_item_id: id, delta: added }];
  }

  /** The connection to the model broke: what it was saying will not be finished, a new part begins. */
  function cutOff(session: string): Draft[] {
    const left = [...open].filter(([, utterance]) => utterance.session === session);
    for (const [id, { started }] of left) {
      open.delete(id);
      if (started) cut.add(id);
    }
    return left
      .filter(([, { started }]) => started)
      .map(([id, utterance]): Draft => ({ type: "item.completed", item: item(id, utterance), failed: true }));
  }

  function clear(): void {
    open.clear();
    cut.clear();
  }

  return { part, delta, cutOff, clear };
}

function item(id: string, { type, text, parent }: Utterance) {
  const content: ContentPart = type === "text" ? { type, text } : { type, text, visibility: "public" };
  return draftItem(id, "message", "assistant", [content], parent);
}
