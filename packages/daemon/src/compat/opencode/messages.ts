/** Exchanges as messages: the user's message and the answer. Pure. */
import type { SessionInfo, SessionSettings, Usage } from "@sandbox-agent/schema";
import { messageContent } from "../../session/client-events.ts";
import { type Conversation, type Exchange, isFromUser, itemsOf, orphansOf } from "./conversation.ts";
import { answerId, toOpenCodeId } from "./ids.ts";
import { orphanPart } from "./orphan-permissions.ts";
import { itemParts, linksIn, userParts } from "./parts.ts";
import type { AssistantMessage, MessageWithParts, UserMessage } from "./wire.ts";

/** The facts about a session that its messages contain. */
export interface SessionFacts {
  id: string;
  /** OpenCode's clients see the agent as a provider. */
  agent: string;
  directory: string;
}

export function factsOf({ sessionId, agent, directory }: SessionInfo): SessionFacts {
  return { id: toOpenCodeId(sessionId), agent, directory: directory ?? process.cwd() };
}

/** All messages, oldest first; queued messages are last. */
export function* messagesOf(facts: SessionFacts, conversation: Conversation): Generator<MessageWithParts> {
  for (const exchange of conversation.exchanges) yield* exchangeMessages(facts, conversation, exchange);
  yield* queuedMessages(facts, conversation);
}

export function exchangeMessages(
  facts: SessionFacts,
  conversation: Conversation,
  exchange: Exchange,
): MessageWithParts[] {
  const { id } = facts;
  const { messageId, settings, startedAt } = exchange;
  const items = itemsOf(conversation, exchange);
  const links = linksIn(items);
  const itemsParts = items.flatMap((item) =>
    isFromUser(item) ? [] : itemParts(id, conversation, exchange, item, links),
  );
  const orphanParts = orphansOf(conversation, exchange).map((orphan) => orphanPart(id, answerId(messageId), orphan));
  const parts = [...itemsParts, ...orphanParts].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const answer = { info: assistantMessage(facts, exchange), parts };
  const question = items.find(isFromUser);
  if (!question) return [answer];
  const info = userMessage(facts, messageId, settings, startedAt);
  return [{ info, parts: userParts(id, messageId, question.content) }, answer];
}

export function queuedMessages(facts: SessionFacts, { transcript }: Conversation): MessageWithParts[] {
  const { queue, settings } = transcript.state;
  return queue.map(({ messageId, message, attachments, queuedAt }) => ({
    info: userMessage(facts, messageId, settings, queuedAt),
    parts: userParts(facts.id, messageId, messageContent(message, attachments ?? [])),
  }));
}

export function userMessage(
  { id, agent }: SessionFacts,
  messageId: string,
  settings: SessionSettings,
  created: number,
): UserMessage {
  const { agentMode, model, variant } = settings;
  return {
    id: messageId,
    sessionID: id,
    role: "user",
    time: { created },
    agent: agentMode,
    model: { providerID: agent, modelID: model ?? defaultModelId, ...(variant && { variant }) },
  };
}

/** The agent's own choice, for agents that list no models. */
export const defaultModelId = "default";

export function assistantMessage({ id, agent, directory }: SessionFacts, exchange: Exchange): AssistantMessage {
  const { messageId, settings, startedAt, endedAt, usage } = exchange;
  const error = errorOf(exchange);
  return {
    id: answerId(messageId),
    sessionID: id,
    role: "assistant",
    time: { created: startedAt, ...(endedAt !== null && { completed: endedAt }) },
    parentID: messageId,
    providerID: agent,
    modelID: settings.model ?? defaultModelId,
    mode: settings.agentMode,
    agent: settings.agentMode,
    path: { cwd: directory, root: directory },
    cost: usage?.cost_usd ?? 0,
    tokens: tokensOf(usage ?? {}),
    ...(settings.variant && { variant: settings.variant }),
    ...(error && { error }),
    ...(endedAt !== null && { finish: error ? "error" : "stop" }),
  };
}

export function tokensOf(usage: Usage) {
  const { input_tokens = 0, output_tokens = 0, reasoning_tokens = 0, cached_tokens = 0 } = usage;
  return {
    input: input_tokens,
    output: output_tokens,
    reasoning: reasoning_tokens,
    cache: { read: cached_tokens, write: 0 },
  };
}

export function errorOf({ error, reason }: Exchange): AssistantMessage["error"] {
  if (reason === "aborted" || reason === "terminated")
    return { name: "MessageAbortedError", data: { message: `the turn was ${reason}` } };
  if (error !== null) return { name: "UnknownError", data: { message: error } };
  if (reason === null || reason === "completed") return undefined;
  return { name: "UnknownError", data: { message: `the turn ended early: ${reason}` } };
}
