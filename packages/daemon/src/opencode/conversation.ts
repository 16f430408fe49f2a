/**
 * A session as OpenCode sees it: exchanges of one message of the user and the agent's answer to it. Items come from the
 * transcript; this adds when they were said, and with which settings. The oldest exchanges are forgotten beyond `keep`,
 * so that following a long session costs no more than a short one.
 */
import {
  applyEvent,
  initialState,
  type SessionSettings,
  type SessionState,
  type Transcript,
  type TranscriptItem,
  type UniversalEvent,
  type Usage,
} from "@sandbox-agent/schema";
import { messageIdOf } from "./ids.ts";

export interface Exchange {
  /** Id of the user's message. */
  messageId: string;
  /** False when the agent began of its own accord: then there is only an answer. */
  asked: boolean;
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
  keep: number;
}

/** `state` is where the session stood before the first event that will be applied. */
export function emptyConversation(keep: number, state: SessionState = initialState): Conversation {
  return { transcript: { state, items: [], turns: [], errors: [] }, exchanges: [], times: new Map(), keep };
}

export function converse(conversation: Conversation, event: UniversalEvent): void {
  const { transcript, times } = conversation;
  if (event.sequence <= transcript.state.sequence) return;
  applyEvent(transcript, event);
  const time = Date.parse(event.time);
  switch (event.type) {
    case "turn.started":
      begin(conversation, event, transcript.state.turn?.messageId ?? null);
      return;
    case "item.started":
      times.set(event.data.item.item_id, { start: time, end: null });
      if (isFromUser(event.data.item)) askIn(conversation, event);
      else requireExchange(conversation, event);
      return;
    case "item.completed": {
      const { item_id } = event.data.item;
      times.set(item_id, { start: times.get(item_id)?.start ?? time, end: time });
      requireExchange(conversation, event);
      return;
    }
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

/** The items of an exchange, in order of appearance. */
export function itemsOf({ transcript, exchanges }: Conversation, exchange: Exchange): TranscriptItem[] {
  const next = exchanges[exchanges.indexOf(exchange) + 1];
  const isInside = ({ sequence }: TranscriptItem) =>
    sequence >= exchange.firstSequence && (!next || sequence < next.firstSequence);
  return transcript.items.filter(isInside);
}

function begin(conversation: Conversation, event: UniversalEvent, messageId: string | null): void {
  const { transcript, exchanges, keep } = conversation;
  const { state } = transcript;
  exchanges.push({
    messageId: messageId ?? messageIdOf(event),
    asked: false,
    firstSequence: event.sequence,
    turn: state.turnCount,
    settings: state.settings,
    startedAt: Date.parse(event.time),
    endedAt: null,
    reason: null,
    usage: null,
    error: null,
  });
  if (exchanges.length > keep) forget(conversation);
}

/** The first message of the user belongs to the turn it began; one that steers the turn begins another exchange. */
function askIn(conversation: Conversation, event: UniversalEvent): void {
  const last = conversation.exchanges.at(-1);
  const isFirst = last && !last.asked && last.endedAt === null && itemsOf(conversation, last).length <= 1;
  if (!isFirst) {
    changeLast(conversation, ({ endedAt }) => ({ endedAt: endedAt ?? Date.parse(event.time) }));
    begin(conversation, event, null);
  }
  changeLast(conversation, () => ({ asked: true }));
}

/** History may begin in the middle of a turn. */
function requireExchange(conversation: Conversation, event: UniversalEvent): void {
  if (conversation.exchanges.length === 0) begin(conversation, event, null);
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

function forget({ transcript, exchanges, times, keep }: Conversation): void {
  exchanges.splice(0, exchanges.length - keep);
  const from = exchanges[0]?.firstSequence ?? 0;
  const gone = transcript.items.findIndex(({ sequence }) => sequence >= from);
  const dropped = transcript.items.splice(0, gone === -1 ? transcript.items.length : gone);
  for (const { item_id } of dropped) times.delete(item_id);
  transcript.turns.splice(0, transcript.turns.length - 1);
  transcript.errors.splice(0);
}
