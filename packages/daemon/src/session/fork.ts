/**
 * A fork is a session of its own whose log begins with the conversation of another, told anew. Its agent begins without
 * any memory and is told the same with the first message. Pure.
 */
import { type Transcript, type TranscriptItem, TurnEndReason, textOf, type UniversalItem } from "@sandbox-agent/schema";
import type { EventBody } from "./normalize.ts";

/**
 * The turns that have ended, up to that one if it is named. What they cost and what was allowed in them stays with the
 * session they happened in.
 */
export function retold({ turns, items, state }: Transcript, lastTurn: number | null): EventBody[] {
  // The oldest turns may have been removed from the log, so they are counted from the end.
  const before = state.turnCount - turns.length;
  const told = turns.filter(
    ({ lastSequence }, index) => lastSequence !== null && (lastTurn === null || before + index + 1 <= lastTurn),
  );
  const itemIds = new Map<string, string>();
  // Items are in the order of the log, as turns are.
  let next = 0;
  return told.flatMap(({ firstSequence, lastSequence, reason }, index) => {
    const turn_id = `turn_${index + 1}`;
    while ((items[next]?.sequence ?? Number.POSITIVE_INFINITY) <= firstSequence) next += 1;
    const start = next;
    while ((items[next]?.sequence ?? Number.POSITIVE_INFINITY) < (lastSequence ?? 0)) next += 1;
    const said = items.slice(start, next);
    const metadata = said[0]?.role === "user" ? { message_id: `msg_${Bun.randomUUIDv7()}` } : { origin: "agent" };
    const end = { reason: TurnEndReason().catch("failed").parse(reason) };
    return [
      { type: "turn.started", data: { phase: "started", turn_id, metadata }, synthetic: true },
      ...said.flatMap((item) => itemBodies(item, itemIds)),
      { type: "turn.ended", data: { phase: "ended", turn_id, metadata: end }, synthetic: true },
    ] satisfies EventBody[];
  });
}

/** Ids are given anew, without gaps, as the items that follow will be. */
function itemBodies(told: TranscriptItem, itemIds: Map<string, string>): EventBody[] {
  const { kind, role, content, parent_id, status } = told;
  const item_id = `itm_${itemIds.size + 1}`;
  itemIds.set(told.item_id, item_id);
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

/** Forks of forks are counted on, as people know it from copied files. */
export function forkTitle(title: string | null): string | null {
  if (title === null) return null;
  const [, name, number] = title.match(/^(.*) \(fork #(\d+)\)$/s) ?? [];
  return name === undefined ? `${title} (fork #1)` : `${name} (fork #${Number(number) + 1})`;
}
