/**
 * A session as OpenCode models it: exchanges, each with one message of the user and the agent's answer. Items come from
 * the transcript; this adds their times and settings. Exchanges beyond the newest `keep` are evicted, so that following a
 * long session costs no more than a short one.
 */
import {
  applyEvent,
  emptyTranscript,
  initialState,
  type SessionSettings,
  type SessionState,
  type Transcript,
  type TranscriptItem,
  type UniversalEvent,
  type Usage,
} from "@sandbox-agent/schema";
import { messageIdOf } from "./ids.ts";
import { callIdIn, type OrphanPermission } from "./orphan-permissions.ts";
import { callOf } from "./tools.ts";

export interface Exchange {
  /** Id of the user's message. */
  messageId: string;
  /** False when the agent started the turn itself: then there is only an answer. */
  hasUserMessage: boolean;
  firstSequence: number;
  /** Number of the turn in its session, from 1. */
  turn: number;
  settings: SessionSettings;
  startedAt: number;
  endedAt: number | null;
  reason: string | null;
  usage: Usage | null;
  error: string | null;
}

export interface Conversation {
  transcript: Transcript;
  exchanges: Exchange[];
  times: Map<string, { start: number; end: number | null }>;
  /** Permissions that belong to no tool call. */
  orphans: OrphanPermission[];
  keep: number;
}

/** `state` is the session's state before the first event that will be applied. */
export function emptyConversation(keep: number, state: SessionState = initialState): Conversation {
  return { transcript: { ...emptyTranscript(), state }, exchanges: [], times: new Map(), orphans: [], keep };
}

type ToolCallPart = NonNullable<ReturnType<typeof callOf>>;

export function applyToConversation(conversation: Conversation, event: UniversalEvent): void {
  const { transcript, times } = conversation;
  if (event.sequence <= transcript.state.sequence) return;
  applyEvent(transcript, event);
  const time = Date.parse(event.time);
  switch (event.type) {
    case "turn.started":
      beginExchange(conversation, event, transcript.state.turn?.messageId ?? null);
      return;
    case "item.started":
      times.set(event.data.item.item_id, { start: time, end: null });
      if (isFromUser(event.data.item)) addUserMessage(conversation, event);
      else requireExchange(conversation, event);
      return;
    case "item.completed": {
      const { item_id } = event.data.item;
      times.set(item_id, { start: times.get(item_id)?.start ?? time, end: time });
      requireExchange(conversation, event);
      return;
    }
    case "permission.requested":
      requireExchange(conversation, event);
      if (!callIn(conversation, event.data.metadata ?? {}))
        conversation.orphans.push({ permission: event.data, sequence: event.sequence, start: time, end: null });
      return;
    case "permission.resolved":
      conversation.orphans = conversation.orphans.map((orphan) =>
        orphan.end === null && orphan.permission.permission_id === event.data.permission_id
          ? { ...orphan, permission: event.data, end: time }
          : orphan,
      );
      return;
    case "turn.ended":
    case "session.ended":
      finish(conversation, time);
      return;
    case "error":
      changeLast(conversation, ({ endedAt }) => (endedAt === null ? { error: event.data.message } : {}));
      return;
  }
}

export function isFromUser({ kind, role, parent_id }: Pick<TranscriptItem, "kind" | "role" | "parent_id">): boolean {
  return kind === "message" && role === "user" && parent_id === null;
}

/** The tool call in the newest exchange that a request names. */
export function callIn(conversation: Conversation, metadata: Record<string, unknown>): ToolCallPart | null {
  const callId = callIdIn(metadata);
  const exchange = conversation.exchanges.at(-1);
  if (callId === null || !exchange) return null;
  const isMatch = (item: TranscriptItem) => callOf(item)?.call_id === callId || item.native_item_id === callId;
  const item = itemsOf(conversation, exchange).find((each) => each.kind === "tool_call" && isMatch(each));
  return item ? callOf(item) : null;
}

/** The permissions of an exchange that belong to no tool call. */
export function orphansOf(conversation: Conversation, exchange: Exchange): OrphanPermission[] {
  return inside(conversation, exchange, conversation.orphans);
}

/** The items of an exchange, in order of appearance. */
export function itemsOf(conversation: Conversation, exchange: Exchange): TranscriptItem[] {
  return inside(conversation, exchange, conversation.transcript.items);
}

/** Both lists are sorted by sequence. */
function inside<T extends { sequence: number }>(
  { exchanges }: Conversation,
  exchange: Exchange,
  list: readonly T[],
): T[] {
  const next = exchanges[firstFrom(exchanges, ({ firstSequence }) => firstSequence, exchange.firstSequence + 1)];
  const indexOf = (sequence: number) => firstFrom(list, (each) => each.sequence, sequence);
  return list.slice(indexOf(exchange.firstSequence), next && indexOf(next.firstSequence));
}

/** Index of the first entry at or after a sequence, in a list sorted by sequence. */
function firstFrom<T>(list: readonly T[], sequenceOf: (entry: T) => number, sequence: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    if (entry !== undefined && sequenceOf(entry) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

function beginExchange(conversation: Conversation, event: UniversalEvent, messageId: string | null): void {
  const { transcript, exchanges, keep } = conversation;
  const { state } = transcript;
  exchanges.push({
    messageId: messageId ?? messageIdOf(event),
    hasUserMessage: false,
    firstSequence: event.sequence,
    turn: state.turnCount,
    settings: state.settings,
    startedAt: Date.parse(event.time),
    endedAt: null,
    reason: null,
    usage: null,
    error: null,
  });
  if (exchanges.length > keep) evictOldest(conversation);
}

/** The first message of the user belongs to the turn it started; a message that steers the turn starts a new exchange. */
function addUserMessage(conversation: Conversation, event: UniversalEvent): void {
  const last = conversation.exchanges.at(-1);
  const isFirst = last && !last.hasUserMessage && last.endedAt === null && itemsOf(conversation, last).length <= 1;
  if (!isFirst) {
    changeLast(conversation, ({ endedAt }) => ({ endedAt: endedAt ?? Date.parse(event.time) }));
    beginExchange(conversation, event, null);
  }
  changeLast(conversation, () => ({ hasUserMessage: true }));
}

/** The events may start in the middle of a turn. */
function requireExchange(conversation: Conversation, event: UniversalEvent): void {
  if (conversation.exchanges.length === 0) beginExchange(conversation, event, null);
}

function finish(conversation: Conversation, time: number): void {
  const turn = conversation.transcript.turns.at(-1);
  changeLast(conversation, ({ endedAt }) => ({
    endedAt: endedAt ?? time,
    reason: turn?.reason ?? null,
    usage: turn?.usage ?? null,
  }));
}

function changeLast({ exchanges }: Conversation, change: (last: Exchange) => Partial<Exchange>): void {
  const last = exchanges.at(-1);
  if (last) exchanges[exchanges.length - 1] = { ...last, ...change(last) };
}

function evictOldest(conversation: Conversation): void {
  const { transcript, exchanges, times, keep } = conversation;
  exchanges.splice(0, exchanges.length - keep);
  const from = exchanges[0]?.firstSequence ?? 0;
  const gone = transcript.items.findIndex(({ sequence }) => sequence >= from);
  const dropped = transcript.items.splice(0, gone === -1 ? transcript.items.length : gone);
  for (const { item_id } of dropped) times.delete(item_id);
  transcript.turns.splice(0, transcript.turns.length - 1);
  transcript.errors.splice(0);
  transcript.resolved = { permissions: [], questions: [] };
  conversation.orphans = conversation.orphans.filter(({ sequence }) => sequence >= from);
}
