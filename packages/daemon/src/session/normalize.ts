/**
 * Turns an agent's drafts into universal events whose order is valid whatever the agent leaves out: items get ids, missing
 * starts and deltas are added, and nothing stays open after an end. Pure.
 */
import type { Draft, DraftItem } from "@sandbox-agent/agents";
import {
  type EventData,
  type EventType,
  extendContent,
  type OpenItem,
  type SessionState,
  type TurnEndReason,
  textOf,
  type UniversalItem,
} from "@sandbox-agent/schema";

/** An event before it has a sequence, an id and a time. */
export type EventBody = {
  [T in EventType]: { type: T; data: EventData<T>; synthetic: boolean; raw?: unknown };
}[EventType];

/** What normalizing needs and the folded state does not contain. */
export interface ItemMemory {
  /** Item ids by native id, of the items of this turn, open or not. */
  itemIds: Map<string, string>;
  /** The deltas an open item has had so far. */
  deltasOf(open: OpenItem): Iterable<string>;
}

export function normalize(state: SessionState, memory: ItemMemory, draft: Draft): EventBody[] {
  const { raw, synthetic = false } = draft;
  switch (draft.type) {
    case "item.started": {
      if (openItem(state, draft.item.native_item_id)) return [];
      return [startItem(state, memory, draft.item, { synthetic, raw })];
    }
    case "item.delta":
      return deltaBodies(state, memory, draft, { synthetic, raw });
    case "item.completed":
      return completeItem(state, memory, draft.item, draft.failed ?? false, { synthetic, raw });
    case "permission.requested":
      return [{ type: draft.type, data: { ...draft.permission, status: "requested" }, synthetic, raw }];
    case "question.requested":
      return [{ type: draft.type, data: { ...draft.question, status: "requested", response: null }, synthetic, raw }];
    case "request.withdrawn":
      return closeRequests(state, "withdrawn", draft.request_id);
    case "session.identified":
      return [];
    case "turn.started": {
      if (state.turn) return [];
      const turn_id = `turn_${state.turnCount + 1}`;
      return [{ type: draft.type, data: { phase: "started", turn_id, metadata: { origin: "agent" } }, synthetic, raw }];
    }
    case "turn.ended":
      if (!state.turn) return [];
      return [...closeTurn(state, memory, draft.reason), turnEnded(state, draft, { synthetic, raw })];
    case "error":
      return [{ type: draft.type, data: draft.error, synthetic, raw }];
    case "agent.unparsed":
      return [{ type: draft.type, data: draft.unparsed, synthetic, raw }];
    case "session.ended": {
      const data = { reason: "completed", terminated_by: "agent" } as const;
      return [...closeAll(state, memory, "completed"), { type: draft.type, data, synthetic, raw }];
    }
    case "agent.exited":
      return exitBodies(state, memory, draft.exit);
  }
}

/** The events that must precede the end of a turn or session: items are completed and requests resolved. */
export function closeAll(state: SessionState, memory: ItemMemory, reason: TurnEndReason): EventBody[] {
  return [...closeItems(state, memory, reason), ...closeRequests(state, reason)];
}

/** Resolves all open requests, or the one with that id, without an answer. */
export function closeRequests(state: SessionState, reason: string, requestId?: string): EventBody[] {
  const matches = (id: string) => requestId === undefined || id === requestId;
  const permissions = state.permissions
    .filter(({ permission_id }) => matches(permission_id))
    .map((permission): EventBody => {
      const metadata = { ...permission.metadata, reply: "reject", reason };
      return { type: "permission.resolved", data: { ...permission, status: "denied", metadata }, synthetic: true };
    });
  const questions = state.questions
    .filter(({ question_id }) => matches(question_id))
    .map((question): EventBody => {
      const metadata = { ...question.metadata, reason };
      return { type: "question.resolved", data: { ...question, status: "rejected", metadata }, synthetic: true };
    });
  return [...permissions, ...questions];
}

/** Ends a turn that the agent did not end. */
export function endTurn(state: SessionState, memory: ItemMemory, reason: TurnEndReason): EventBody[] {
  const closing = closeAll(state, memory, reason);
  if (!state.turn) return closing;
  return [...closing, turnEnded(state, { reason }, { synthetic: true })];
}

/** A completed turn may leave requests open. After any other end, the agent does not wait for answers. */
function closeTurn(state: SessionState, memory: ItemMemory, reason: TurnEndReason = "completed"): EventBody[] {
  return reason === "completed" ? closeItems(state, memory, reason) : closeAll(state, memory, reason);
}

type Origin = Pick<EventBody, "synthetic" | "raw">;

function turnEnded(
  state: SessionState,
  { reason = "completed", usage }: Pick<Draft & { type: "turn.ended" }, "reason" | "usage">,
  origin: Origin,
): EventBody {
  const metadata = { reason, ...(usage && { usage }) };
  return { type: "turn.ended", data: { phase: "ended", turn_id: state.turn?.turnId, metadata }, ...origin };
}

function openItem(state: SessionState, nativeId: string): OpenItem | null {
  for (const itemId in state.openItems) {
    const open = state.openItems[itemId];
    if (open?.item.native_item_id === nativeId) return open;
  }
  return null;
}

function startItem(
  state: SessionState,
  memory: ItemMemory,
  draft: DraftItem,
  origin: Origin,
): EventBody & {
  type: "item.started";
} {
  const itemId = `itm_${state.itemCount + 1}`;
  memory.itemIds.set(draft.native_item_id, itemId);
  return { type: "item.started", data: { item: universalItem(itemId, memory, draft, "in_progress") }, ...origin };
}

function universalItem(
  itemId: string,
  memory: ItemMemory,
  { native_item_id, native_parent_id, kind, role, content }: DraftItem,
  status: UniversalItem["status"],
): UniversalItem {
  const parent_id = native_parent_id === undefined ? null : (memory.itemIds.get(native_parent_id) ?? null);
  return { item_id: itemId, native_item_id, parent_id, kind, role, status, content };
}

function deltaBodies(
  state: SessionState,
  memory: ItemMemory,
  { native_item_id, delta }: Draft & { type: "item.delta" },
  origin: Origin,
): EventBody[] {
  const open = openItem(state, native_item_id);
  if (open) return [{ type: "item.delta", data: { item_id: open.item.item_id, native_item_id, delta }, ...origin }];
  const unannounced: DraftItem = { native_item_id, kind: "message", role: "assistant", content: [] };
  const start = startItem(state, memory, unannounced, { synthetic: true });
  const { item_id } = start.data.item;
  return [start, { type: "item.delta", data: { item_id, native_item_id, delta }, ...origin }];
}

function completeItem(
  state: SessionState,
  memory: ItemMemory,
  draft: DraftItem,
  failed: boolean,
  origin: Origin,
): EventBody[] {
  const known = openItem(state, draft.native_item_id);
  // An item never changes its kind. If the open item has another kind, it is completed and a new item begins.
  const open = known?.item.kind === draft.kind ? known : null;
  const start = open ? null : startItem(state, memory, { ...draft, content: [] }, { synthetic: true });
  const started = open?.item ?? start?.data.item;
  if (!started) return [];
  const finished = universalItem(started.item_id, memory, draft, failed ? "failed" : "completed");
  const item = { ...finished, parent_id: finished.parent_id ?? started.parent_id };
  const bodies: EventBody[] = known && !open ? closeItem(memory, known, "completed") : [];
  if (start) bodies.push(start);
  if (needsDelta(item) && !open?.hasDelta) bodies.push(wholeTextDelta(item));
  return [...bodies, { type: "item.completed", data: { item }, ...origin }];
}

/** Messages always have deltas: one that arrives in one piece gets a single delta. */
function needsDelta({ kind, role, content }: UniversalItem): boolean {
  return kind === "message" && role !== "user" && textOf(content) !== "";
}

function wholeTextDelta({ item_id, native_item_id, content }: UniversalItem): EventBody {
  return { type: "item.delta", data: { item_id, native_item_id, delta: textOf(content) }, synthetic: true };
}

/** Completes items the agent left open, with the content so far. They fail if the turn did not complete. */
function closeItems(state: SessionState, memory: ItemMemory, reason: TurnEndReason): EventBody[] {
  return Object.values(state.openItems).flatMap((open) => closeItem(memory, open, reason));
}

function closeItem(memory: ItemMemory, open: OpenItem, reason: TurnEndReason): EventBody[] {
  const content = open.hasDelta
    ? extendContent(open.item.content, [...memory.deltasOf(open)].join(""))
    : open.item.content;
  const item: UniversalItem = { ...open.item, content, status: reason === "completed" ? "completed" : "failed" };
  const completed: EventBody = { type: "item.completed", data: { item }, synthetic: true };
  return needsDelta(item) && !open.hasDelta ? [wholeTextDelta(item), completed] : [completed];
}

/** The agent's process has exited. This ends the turn and resolves open requests; the next message starts the agent again. */
function exitBodies(
  state: SessionState,
  memory: ItemMemory,
  { code, message, stderr }: (Draft & { type: "agent.exited" })["exit"],
): EventBody[] {
  const closing = closeAll(state, memory, "failed");
  if (!state.turn) return closing;
  const details = { exit_code: code, stderr };
  return [
    ...closing,
    { type: "error", data: { message, code: "process_exit", details }, synthetic: true },
    turnEnded(state, { reason: "failed" }, { synthetic: true }),
  ];
}
