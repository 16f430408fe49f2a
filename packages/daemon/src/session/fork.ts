/**
 * A fork is a new session whose log begins with the conversation of another session. Its agent starts without any memory,
 * so its first message is preceded by the same conversation as text. Pure.
 */
import { type Transcript, type TranscriptItem, TurnEndReason, textOf, type UniversalItem } from "@sandbox-agent/schema";
import type { EventBody } from "./normalize.ts";

/**
 * The first events of a fork: the turns that have ended, up to `lastTurn` if it is given. Usage and permissions are not
 * copied; they belong to the original session.
 */
export function forkEvents({ turns, items, state }: Transcript, lastTurn: number | null): EventBody[] {
  // The oldest turns may have been removed from the log, so turn numbers are counted from the end.
  const before = state.turnCount - turns.length;
  const copied = turns.filter(
    ({ lastSequence }, index) => lastSequence !== null && (lastTurn === null || before + index + 1 <= lastTurn),
  );
  const itemIds = new Map<string, string>();
  // Items and turns are both in the order of the log.
  let next = 0;
  return copied.flatMap(({ firstSequence, lastSequence, reason }, index) => {
    const turn_id = `turn_${index + 1}`;
    while ((items[next]?.sequence ?? Number.POSITIVE_INFINITY) <= firstSequence) next += 1;
    const start = next;
    while ((items[next]?.sequence ?? Number.POSITIVE_INFINITY) < (lastSequence ?? 0)) next += 1;
    const turnItems = items.slice(start, next);
    const metadata = turnItems[0]?.role === "user" ? { message_id: `msg_${Bun.randomUUIDv7()}` } : { origin: "agent" };
    const end = { reason: TurnEndReason().catch("failed").parse(reason) };
    return [
      { type: "turn.started", data: { phase: "started", turn_id, metadata }, synthetic: true },
      ...turnItems.flatMap((item) => itemBodies(item, itemIds)),
      { type: "turn.ended", data: { phase: "ended", turn_id, metadata: end }, synthetic: true },
    ] satisfies EventBody[];
  });
}

/** Copied items get new ids without gaps; the items that follow continue the numbering. */
function itemBodies(original: TranscriptItem, itemIds: Map<string, string>): EventBody[] {
  const { kind, role, content, parent_id, status } = original;
  const item_id = `itm_${itemIds.size + 1}`;
  itemIds.set(original.item_id, item_id);
  const parent = parent_id === null ? null : (itemIds.get(parent_id) ?? null);
  const item: UniversalItem = { item_id, native_item_id: null, parent_id: parent, kind, role, content, status };
  const isStreamed = kind === "message" && role !== "user";
  const started = { ...item, status: "in_progress" as const, content: isStreamed ? [] : content };
  const text = isStreamed ? textOf(content) : "";
  return [
    { type: "item.started", data: { item: started }, synthetic: true },
    ...(text === "" ? [] : [{ type: "item.delta" as const, data: { item_id, delta: text }, synthetic: true }]),
    { type: "item.completed", data: { item }, synthetic: true },
  ];
}

/** A fork of a fork increments the number in the title. */
export function forkTitle(title: string | null): string | null {
  if (title === null) return null;
  const [, name, number] = title.match(/^(.*) \(fork #(\d+)\)$/s) ?? [];
  return name === undefined ? `${title} (fork #1)` : `${name} (fork #${Number(number) + 1})`;
}
