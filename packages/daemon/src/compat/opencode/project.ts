/**
 * Events in OpenCode's words: one universal event becomes the events its clients need to follow a session. Pure, apart
 * from the conversation it is given, to which the event is added.
 */
import {
  type EventOf,
  type SessionState,
  statusOf,
  type TranscriptItem,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { askPart } from "./asks.ts";
import { filesEdited } from "./changes.ts";
import { type Conversation, converse, type Exchange, isFromUser, itemsOf } from "./conversation.ts";
import { answerId } from "./ids.ts";
import {
  assistantMessage,
  errorOf,
  exchangeMessages,
  queuedMessages,
  type SessionFacts,
  userMessage,
} from "./messages.ts";
import { callBehind, itemParts, linksIn, userParts } from "./parts.ts";
import { permissionReplied, permissionRequest, questionRequest, questionSettled } from "./requests.ts";
import { statusView } from "./session-view.ts";
import { todosIn } from "./todos.ts";
import type { MessageWithParts, OpenCodeEvent, Part, SessionShown } from "./wire.ts";

export interface Followed {
  facts: SessionFacts;
  conversation: Conversation;
  /** The session as it is shown now. */
  shown(): SessionShown;
  /** Whether clients know of it already: a session is announced before it has its first event. */
  isAnnounced(): boolean;
}

export function project(followed: Followed, event: UniversalEvent): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const before = conversation.transcript.state;
  converse(conversation, event);
  const time = Date.parse(event.time);
  switch (event.type) {
    case "session.started":
      if (followed.isAnnounced()) return [updated(followed)];
      return [
        { type: "session.created", properties: { sessionID: facts.id, info: followed.shown() } },
        updated(followed),
      ];
    case "session.updated":
      return [updated(followed)];
    case "turn.started":
      // Files that were taken back are so no longer. The user's message comes first, and its item follows at once.
      return [updated(followed), ...(event.data.metadata?.message_id ? [] : turnBegins(followed))];
    case "item.started":
      return isFromUser(event.data.item) ? asked(followed) : itemChanged(followed, event.data.item.item_id, time);
    case "item.delta":
      return itemGrew(followed, event);
    case "item.completed":
      if (isFromUser(event.data.item)) return [];
      return [...itemChanged(followed, event.data.item.item_id, time), ...effectsOf(facts, event)];
    case "turn.ended":
      return turnEnds(followed, time);
    case "session.ended":
      return before.turn ? turnEnds(followed, time) : [];
    case "permission.requested": {
      const request = permissionRequest(facts.id, event.data, event.sequence, conversation);
      return [...askChanged(followed, event.sequence, time), { type: "permission.asked", properties: request }];
    }
    case "question.requested": {
      const request = questionRequest(facts.id, event.data, event.sequence, conversation);
      return [{ type: "question.asked", properties: request }];
    }
    case "permission.resolved":
      return [
        permissionReplied(facts.id, event.data, askedAt(before, event.data.permission_id)),
        ...askChanged(followed, askedAt(before, event.data.permission_id), time),
      ];
    case "question.resolved":
      return [questionSettled(facts.id, event.data, askedAt(before, event.data.question_id))];
    case "message.queued":
      return queuedMessages(facts, conversation)
        .slice(-1)
        .flatMap((message) => messageEvents(message, time));
    case "message.cancelled": {
      const properties = { sessionID: facts.id, messageID: event.data.message_id };
      return [{ type: "message.removed", properties }];
    }
    case "file.changed":
      return filesEdited(facts.directory, event.data.changes);
    case "error": {
      const error = { name: "UnknownError" as const, data: { message: event.data.message } };
      return [{ type: "session.error", properties: { sessionID: facts.id, error } }];
    }
    default:
      return [];
  }
}

/** What somebody who joins now must know: the newest exchange, whether it runs, and what waits for an answer. */
export function catchUp({ facts, conversation }: Followed): OpenCodeEvent[] {
  const exchange = conversation.exchanges.at(-1);
  const { state } = conversation.transcript;
  const time = Date.parse(state.time);
  const messages = exchange ? exchangeMessages(facts, conversation, exchange) : [];
  const queued = queuedMessages(facts, conversation);
  return [...[...messages, ...queued].flatMap((message) => messageEvents(message, time)), status(facts, state)];
}

function askedAt({ requestedAt }: SessionState, requestId: string): number {
  return requestedAt[requestId] ?? 0;
}

function updated({ facts, shown }: Followed): OpenCodeEvent {
  return { type: "session.updated", properties: { sessionID: facts.id, info: shown() } };
}

function status({ id }: SessionFacts, state: SessionState): OpenCodeEvent {
  return { type: "session.status", properties: { sessionID: id, status: statusView(statusOf(state)) } };
}

function messageEvents({ info, parts }: MessageWithParts, time: number): OpenCodeEvent[] {
  return [
    { type: "message.updated", properties: { sessionID: info.sessionID, info } },
    ...parts.map((part) => partUpdated(part, time)),
  ];
}

function partUpdated(part: Part, time: number): OpenCodeEvent {
  return { type: "message.part.updated", properties: { sessionID: part.sessionID, part, time } };
}

function answerUpdated(facts: SessionFacts, exchange: Exchange): OpenCodeEvent {
  return { type: "message.updated", properties: { sessionID: facts.id, info: assistantMessage(facts, exchange) } };
}

function turnBegins({ facts, conversation }: Followed): OpenCodeEvent[] {
  const exchange = conversation.exchanges.at(-1);
  return [status(facts, conversation.transcript.state), ...(exchange ? [answerUpdated(facts, exchange)] : [])];
}

/** The user has said something, and the answer to it begins. */
function asked(followed: Followed): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const { exchanges, transcript } = conversation;
  const [before, exchange] = [exchanges.at(-2), exchanges.at(-1)];
  const content = transcript.items.at(-1)?.content ?? [];
  if (!exchange) return [];
  const info = userMessage(facts, exchange.messageId, exchange.settings, exchange.startedAt);
  const parts = userParts(facts.id, exchange.messageId, content);
  const said = messageEvents({ info, parts }, exchange.startedAt);
  const isSteered = before?.turn === exchange.turn;
  if (isSteered) return [answerUpdated(facts, before), ...said, answerUpdated(facts, exchange)];
  return [...said, ...turnBegins(followed)];
}

function turnEnds(followed: Followed, time: number): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const exchange = conversation.exchanges.at(-1);
  if (!exchange) return [];
  const parts = exchangeMessages(facts, conversation, exchange).flatMap((message) => message.parts);
  const error = errorOf(exchange);
  const aborted: OpenCodeEvent[] =
    error?.name === "MessageAbortedError"
      ? [{ type: "session.error", properties: { sessionID: facts.id, error } }]
      : [];
  return [
    // Calls that nobody has told the end of are over now.
    ...parts.filter((part) => endOf(part) === exchange.endedAt).map((part) => partUpdated(part, time)),
    ...aborted,
    answerUpdated(facts, exchange),
    updated(followed),
    status(facts, conversation.transcript.state),
    { type: "session.idle", properties: { sessionID: facts.id } },
  ];
}

function endOf(part: Part): number | null {
  if (part.type !== "tool") return null;
  const { state } = part;
  return state.status === "completed" || state.status === "error" ? state.time.end : null;
}

function askChanged({ facts, conversation }: Followed, sequence: number, time: number): OpenCodeEvent[] {
  const ask = conversation.asks.find((each) => each.sequence === sequence);
  const exchange = conversation.exchanges.findLast(({ firstSequence }) => firstSequence <= sequence);
  if (!ask || !exchange) return [];
  return [partUpdated(askPart(facts.id, answerId(exchange.messageId), ask), time)];
}

/** The item whose parts change: a result changes the part of its call. */
function place(conversation: Conversation, itemId: string): { exchange: Exchange; item: TranscriptItem } | null {
  const item = conversation.transcript.items.findLast(({ item_id }) => item_id === itemId);
  const exchange = item && conversation.exchanges.findLast(({ firstSequence }) => firstSequence <= item.sequence);
  if (!item || !exchange) return null;
  const call = item.kind === "tool_result" ? callBehind(linksIn(itemsOf(conversation, exchange)), item) : null;
  return { exchange, item: call ?? item };
}

function itemChanged({ facts, conversation }: Followed, itemId: string, time: number): OpenCodeEvent[] {
  const placed = place(conversation, itemId);
  if (!placed) return [];
  return itemParts(facts.id, conversation, placed.exchange, placed.item).map((part) => partUpdated(part, time));
}

function itemGrew(followed: Followed, event: EventOf<"item.delta">): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const { item_id, delta } = event.data;
  const placed = place(conversation, item_id);
  if (!placed) return [];
  if (placed.item.item_id !== item_id || placed.item.kind === "tool_result")
    return itemChanged(followed, item_id, Date.parse(event.time));
  const part = itemParts(facts.id, conversation, placed.exchange, placed.item).at(-1);
  if (part?.type !== "text" && part?.type !== "reasoning") return [];
  const messageID = answerId(placed.exchange.messageId);
  const grown: OpenCodeEvent = {
    type: "message.part.delta",
    properties: { sessionID: facts.id, messageID, partID: part.id, field: "text", delta },
  };
  // Clients do not take a delta for a part they have not seen.
  const isNew = part.text === delta;
  return isNew ? [partUpdated({ ...part, text: "" }, Date.parse(event.time)), grown] : [grown];
}

/** What else a finished item means. */
function effectsOf({ id }: SessionFacts, { data }: EventOf<"item.completed">): OpenCodeEvent[] {
  const edited = data.item.content.flatMap((part): OpenCodeEvent[] =>
    part.type === "file_ref" && part.action !== "read"
      ? [{ type: "file.edited", properties: { file: part.path } }]
      : [],
  );
  const todos = todosIn(data.item);
  return todos ? [...edited, { type: "todo.updated", properties: { sessionID: id, todos } }] : edited;
}
