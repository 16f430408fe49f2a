/** What the model says and thinks: text and reasoning parts, each an item whose text arrives in deltas. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemShape, message, started } from "../../item-drafts.ts";
import type { ReasoningPart, TextPart } from "../generated/api.ts";

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
    return [completed(item(id, { ...utterance, text }))];
  }

  function more(id: string, added: string): Draft[] {
    const utterance = open.get(id);
    return utterance ? extend(id, utterance, added) : [];
  }

  function extend(id: string, utterance: Utterance, added: string): Draft[] {
    if (added === "") return [];
    const start = utterance.started ? [] : [started(item(id, { ...utterance, text: "" }))];
    utterance.started = true;
    utterance.text += added;
    return [...start, delta(id, added)];
  }

  /** The connection to the model broke: what it was saying will not be finished, a new part begins. */
  function cutOff(session: string): Draft[] {
    const left = [...open].filter(([, utterance]) => utterance.session === session);
    const begun = left.filter(([, utterance]) => utterance.started);
    for (const [id] of left) open.delete(id);
    for (const [id] of begun) cut.add(id);
    return begun.map(([id, utterance]) => completed(item(id, utterance), undefined, { failed: true }));
  }

  function clear(): void {
    open.clear();
    cut.clear();
  }

  return { part, delta: more, cutOff, clear };
}

function item(id: string, { type, text, parent }: Utterance): ItemShape {
  const content: ContentPart = type === "text" ? { type, text } : { type, text, visibility: "public" };
  return message({ id, parent }, [content]);
}
