/** Reading events in tests of agents. */
import type { EventOf, EventType, UniversalEvent, UniversalItem } from "@sandbox-agent/schema";

export function ofType<T extends EventType>(events: readonly UniversalEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** Completed items, of that kind if it is named. */
export function itemsOf(events: readonly UniversalEvent[], kind?: UniversalItem["kind"]): UniversalItem[] {
  const items = ofType(events, "item.completed").map(({ data }) => data.item);
  return kind === undefined ? items : items.filter((item) => item.kind === kind);
}

/** The texts of the agent's messages, without reasoning. */
export function texts(events: readonly UniversalEvent[]): string[] {
  return itemsOf(events, "message")
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
}

/** The outputs of tools. */
export function outputs(events: readonly UniversalEvent[]): string[] {
  return itemsOf(events, "tool_result").flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool_result" ? [part.output] : [])),
  );
}

/** Why the last turn ended. */
export function endOf(events: readonly UniversalEvent[]): string | undefined {
  return ofType(events, "turn.ended").at(-1)?.data.metadata?.reason;
}

export function errorsOf(events: readonly UniversalEvent[]): (string | null | undefined)[] {
  return ofType(events, "error").map(({ data }) => data.code);
}

export function lastTurn(events: readonly UniversalEvent[]): UniversalEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === "turn.started"));
}
