/**
 * Converts events: one universal event becomes the events that OpenCode's clients need to follow a session. Pure, except
 * that it adds the event to the given conversation.
 */
import {
  type EventOf,
  type SessionState,
  statusOf,
  type TranscriptItem,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { filesEdited } from "./changes.ts";
import { applyToConversation, type Conversation, type Exchange, isFromUser, itemsOf } from "./conversation.ts";
import { answerId } from "./ids.ts";
import {
  assistantMessage,
  errorOf,
  exchangeMessages,
  queuedMessages,
  type SessionFacts,
  userMessage,
} from "./messages.ts";
import { orphanPart } from "./orphan-permissions.ts";
import { callOfResult, itemParts, linksIn, userParts } from "./parts.ts";
import { permissionReplied, permissionRequest, questionRequest, questionResolved } from "./requests.ts";
import { statusView } from "./session-view.ts";
import { todosIn } from "./todos.ts";
import type { MessageWithParts, OpenCodeEvent, OpenCodeSession, Part } from "./wire.ts";

export interface Followed {
  facts: SessionFacts;
  conversation: Conversation;
  /** The present view of the session. */
  view(): OpenCodeSession;
  /** Whether clients know the session already: drafts are announced before their first event. */
  isAnnounced(): boolean;
}

export function project(followed: Followed, event: UniversalEvent): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const before = conversation.transcript.state;
  applyToConversation(conversation, event);
  const time = Date.parse(event.time);
  switch (event.type) {
    case "session.started":
      if (followed.isAnnounced()) return [updated(followed)];
      return [
        { type: "session.created", properties: { sessionID: facts.id, info: followed.view() } },
        updated(followed),
      ];
    case "session.updated":
      return [updated(followed)];
    case "turn.started":
      // A new turn clears the revert. With a message id, the item of the user's message follows and starts the answer.
      return [updated(followed), ...(event.data.metadata?.message_id ? [] : turnStarted(followed))];
    case "item.started":
      return isFromUser(event.data.item)
        ? userMessageStarted(followed)
        : itemChanged(followed, event.data.item.item_id, time);
    case "item.delta":
      return itemGrew(followed, event);
    case "item.completed":
      if (isFromUser(event.data.item)) return [];
      return [...itemChanged(followed, event.data.item.item_id, time), ...effectsOf(facts, event)];
    case "turn.ended":
      return turnEnded(followed, time);
    case "session.ended":
      return before.turn ? turnEnded(followed, time) : [];
    case "permission.requested": {
      const request = permissionRequest(facts.id, event.data, event.sequence, conversation);
      return [...orphanChanged(followed, event.sequence, time), { type: "permission.asked", properties: request }];
    }
    case "question.requested": {
      const request = questionRequest(facts.id, event.data, event.sequence, conversation);
      return [{ type: "question.asked", properties: request }];
    }
    case "permission.resolved":
      return [
        permissionReplied(facts.id, event.data, askedAt(before, event.data.permission_id)),
        ...orphanChanged(followed, askedAt(before, event.data.permission_id), time),
      ];
    case "question.resolved":
      return [questionResolved(facts.id, event.data, askedAt(before, event.data.question_id))];
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

/** What a client that connects now needs: the newest exchange, the queued messages and the status. */
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

function updated({ facts, view }: Followed): OpenCodeEvent {
  return { type: "session.updated", properties: { sessionID: facts.id, info: view() } };
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

function turnStarted({ facts, conversation }: Followed): OpenCodeEvent[] {
  const exchange = conversation.exchanges.at(-1);
  return [status(facts, conversation.transcript.state), ...(exchange ? [answerUpdated(facts, exchange)] : [])];
}

/** A message of the user arrives, and the answer to it starts. */
function userMessageStarted(followed: Followed): OpenCodeEvent[] {
  const { facts, conversation } = followed;
  const { exchanges, transcript } = conversation;
  const [before, exchange] = [exchanges.at(-2), exchanges.at(-1)];
  const content = transcript.items.at(-1)?.content ?? [];
  if (!exchange) return [];
  const info = userMessage(facts, exchange.messageId, exchange.settings, exchange.startedAt);
  const parts = userParts(facts.id, exchange.messageId, content);
  const userEvents = messageEvents({ info, parts }, exchange.startedAt);
  const isSteered = before?.turn === exchange.turn;
  if (isSteered) return [answerUpdated(facts, before), ...userEvents, answerUpdated(facts, exchange)];
  return [...userEvents, ...turnStarted(followed)];
}

function turnEnded(followed: Followed, time: number): OpenCodeEvent[] {
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
    // Tool calls without a result end with the turn.
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

function orphanChanged({ facts, conversation }: Followed, sequence: number, time: number): OpenCodeEvent[] {
  const orphan = conversation.orphans.find((each) => each.sequence === sequence);
  const exchange = conversation.exchanges.findLast(({ firstSequence }) => firstSequence <= sequence);
  if (!orphan || !exchange) return [];
  return [partUpdated(orphanPart(facts.id, answerId(exchange.messageId), orphan), time)];
}

/** The item whose parts change: for a result, that of its tool call. */
function place(conversation: Conversation, itemId: string): { exchange: Exchange; item: TranscriptItem } | null {
  const item = conversation.transcript.items.findLast(({ item_id }) => item_id === itemId);
  const exchange = item && conversation.exchanges.findLast(({ firstSequence }) => firstSequence <= item.sequence);
  if (!item || !exchange) return null;
  const call = item.kind === "tool_result" ? callOfResult(linksIn(itemsOf(conversation, exchange)), item) : null;
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
  // Clients ignore a delta for a part they do not know.
  const isNew = part.text === delta;
  return isNew ? [partUpdated({ ...part, text: "" }, Date.parse(event.time)), grown] : [grown];
}

/** Further events that a completed item causes. */
function effectsOf({ id }: SessionFacts, { data }: EventOf<"item.completed">): OpenCodeEvent[] {
  const edited = data.item.content.flatMap((part): OpenCodeEvent[] =>
    part.type === "file_ref" && part.action !== "read"
      ? [{ type: "file.edited", properties: { file: part.path } }]
      : [],
  );
  const todos = todosIn(data.item);
  return todos ? [...edited, { type: "todo.updated", properties: { sessionID: id, todos } }] : edited;
}
