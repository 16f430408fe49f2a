/** Sends a prompt to a session: which session it is, with which settings, and when the answer is complete. */
import { ProblemError, type UpdateSessionRequest } from "@sandbox-agent/schema";
import { keepAttachment } from "../../session/attachments.ts";
import type { Posted, Session } from "../../session/session.ts";
import { untilFound } from "../../session/wait.ts";
import { type OpenCodeContext, readEvents } from "./context.ts";
import { emptyConversation } from "./conversation.ts";
import type { Draft, ModelChoice } from "./drafts.ts";
import { shownId } from "./ids.ts";
import { exchangeMessages, factsOf } from "./messages.ts";
import { messageRequest, type Prompt, titleFrom } from "./prompt.ts";
import type { MessageWithParts } from "./wire.ts";

export interface Wishes {
  model: ModelChoice | null;
  agentMode: string | null;
}

/** Hands the prompt to its session, which begins with it if it has not yet. */
export async function send(
  context: OpenCodeContext,
  sessionId: string,
  prompt: Prompt,
): Promise<{ session: Session; posted: Posted }> {
  const session = await sessionFor(context, sessionId, wishesOf(prompt), titleFrom(prompt));
  const request = await messageRequest(prompt, (file) => keepAttachment(context, session.number, file));
  // A message that a client has named may be sent again after a broken connection.
  const posted = await session.post(request, prompt.messageID ?? null, prompt.messageID);
  return { session, posted };
}

/** The session with the settings that are wished for from now on. */
export async function sessionFor(
  context: OpenCodeContext,
  id: string,
  wishes: Wishes,
  title: string | null = null,
): Promise<Session> {
  const draft = context.drafts.find(id);
  if (draft) await begin(context, draft, wishes, title);
  const session = context.sessions.get(id);
  await adjust(context, session, wishes);
  return session;
}

/** Two messages may come while the agent of the first is still starting: both belong to the session it becomes. */
function begin(context: OpenCodeContext, draft: Draft, wishes: Wishes, title: string | null): Promise<void> {
  draft.beginning ??= create(context, draft, wishes, title)
    .catch((error) => {
      const message = error instanceof ProblemError ? error.message : "the session could not be created";
      context.announcements.fail(draft.directory, shownId(draft.id), message);
      throw error;
    })
    .finally(() => {
      draft.beginning = null;
    });
  return draft.beginning;
}

async function create(context: OpenCodeContext, draft: Draft, wishes: Wishes, title: string | null): Promise<void> {
  const choice = wishes.model ?? draft.model ?? (await context.catalogue.defaultChoice());
  await context.sessions.create(draft.id, {
    agent: choice.providerID,
    model: await context.catalogue.modelFor(choice.providerID, choice.modelID),
    variant: variantOf(choice),
    agentMode: wishes.agentMode ?? draft.agentMode,
    permissionMode: draft.permissionMode,
    directory: draft.directory,
    title: draft.title ?? title,
  });
  context.drafts.remove(draft.id);
}

async function adjust({ sessions, catalogue }: OpenCodeContext, session: Session, wishes: Wishes): Promise<void> {
  const info = session.info();
  const change: UpdateSessionRequest = {};
  if (wishes.model) {
    const { providerID, modelID } = wishes.model;
    if (providerID !== info.agent)
      throw new ProblemError(
        "invalid_request",
        `this session runs ${info.agent} and cannot be changed to ${providerID}; start a new session for it`,
      );
    const model = await catalogue.modelFor(providerID, modelID);
    if (model !== null && model !== info.model) change.model = model;
    const variant = variantOf(wishes.model);
    if (variant !== info.variant) change.variant = variant;
  }
  if (wishes.agentMode !== null && wishes.agentMode !== info.agentMode) change.agentMode = wishes.agentMode;
  if (Object.keys(change).length > 0) await sessions.update(session.id, change);
}

/** "default" is how clients say that none was chosen. */
function variantOf({ variant }: ModelChoice): string | null {
  return variant === undefined || variant === "default" ? null : variant;
}

function wishesOf({ model, agent, variant }: Pick<Prompt, "model" | "agent" | "variant">): Wishes {
  const choice = model && { ...model, ...(variant && { variant }) };
  return { model: choice ?? null, agentMode: agent ?? null };
}

/**
 * `opencode run` leaves as soon as it has the answer, and would lose events that are still on their way to it on another
 * connection. Nobody tells when they have arrived.
 */
const headStartMs = 100;

/** Waits until the turn of the message is over, and gives the answer. */
export async function answerTo(
  context: OpenCodeContext,
  { session, posted }: { session: Session; posted: Posted },
  signal: AbortSignal,
): Promise<MessageWithParts> {
  const isOver = () => {
    const { turn, queue } = session.state;
    const isOurs = (id: string | null | undefined) => id === posted.messageId;
    return !(isOurs(turn?.messageId) || queue.some(({ messageId }) => isOurs(messageId))) || null;
  };
  const ended = await untilFound(context.log, session.number, isOver, signal);
  if (!ended && !signal.aborted) throw new ProblemError("session_not_found", "the session was deleted");
  await Bun.sleep(headStartMs);
  context.log.flush();
  const before = { ...session.state, sequence: posted.afterSequence, openItems: {} };
  const conversation = await readEvents(context, session, emptyConversation(Number.MAX_SAFE_INTEGER, before));
  const exchange = conversation.exchanges.find(({ messageId }) => messageId === posted.messageId);
  const answer = exchange && exchangeMessages(factsOf(session.info()), conversation, exchange).at(-1);
  if (answer) return answer;
  throw new ProblemError("conflict", "the message was taken back before its turn began");
}
