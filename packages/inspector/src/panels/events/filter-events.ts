/** Filters events by kind and by search words in their sequence, type or summary. */
import type { UniversalEvent } from "sandbox-agent";
import { type EventKind, kindOf, lineOf } from "./event-line.ts";

export function filterEvents(
  events: readonly UniversalEvent[],
  search: string,
  hidden: ReadonlySet<EventKind>,
): readonly UniversalEvent[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && hidden.size === 0) return events;
  return events.filter((event) => {
    if (hidden.has(kindOf(event))) return false;
    return words.length === 0 || hasAll(`${event.sequence} ${event.type} ${lineOf(event)}`.toLowerCase(), words);
  });
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
