/** Text and reasoning parts of the model, each an item whose text arrives in deltas. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemShape, message, started } from "../../item-drafts.ts";
import type { ReasoningPart, TextPart } from "../generated/api.ts";

interface OpenPart {
  type: "text" | "reasoning";
  session: string;
  parent: string | null;
  text: string;
  started: boolean;
}

export function createTextParts() {
  const open = new Map<string, OpenPart>();
  /** Parts that were interrupted: OpenCode still completes the last of them when the turn is aborted. */
  const interrupted = new Set<string>();

  /** Start or end of a part; its text in between arrives as deltas. */
  function update({ id, sessionID, type, text, time }: TextPart | ReasoningPart, parent: string | null): Draft[] {
    if (interrupted.has(id)) return [];
    const part = open.get(id) ?? { type, session: sessionID, parent, text: "", started: false };
    open.set(id, part);
    if (!time?.end) return extend(id, part, text.slice(part.text.length));
    open.delete(id);
    // Models often start a reasoning part and leave it empty.
    if (!part.started && text === "") return [];
    return [completed(item(id, { ...part, text }))];
  }

  function more(id: string, added: string): Draft[] {
    const part = open.get(id);
    return part ? extend(id, part, added) : [];
  }

  function extend(id: string, part: OpenPart, added: string): Draft[] {
    if (added === "") return [];
    const start = part.started ? [] : [started(item(id, { ...part, text: "" }))];
    part.started = true;
    part.text += added;
    return [...start, delta(id, added)];
  }

  /** The connection to the model failed: open parts will not be finished, and the retry starts new ones. */
  function interrupt(session: string): Draft[] {
    const ofSession = [...open].filter(([, part]) => part.session === session);
    const visible = ofSession.filter(([, part]) => part.started);
    for (const [id] of ofSession) open.delete(id);
    for (const [id] of visible) interrupted.add(id);
    return visible.map(([id, part]) => completed(item(id, part), undefined, { failed: true }));
  }

  function clear(): void {
    open.clear();
    interrupted.clear();
  }

  return { update, delta: more, interrupt, clear };
}

function item(id: string, { type, text, parent }: OpenPart): ItemShape {
  const content: ContentPart = type === "text" ? { type, text } : { type, text, visibility: "public" };
  return message({ id, parent }, [content]);
}
