/** Sends a prompt to a session: which session it is, with which settings, and when the answer is complete. */
import { ProblemError, type UpdateSessionRequest } from "@sandbox-agent/schema";
import { keepAttachment } from "../../session/attachments.ts";
import type { Posted, Session } from "../../session/session.ts";
import { untilFound } from "../../session/wait.ts";
import { type OpenCodeContext, readEvents } from "./context.ts";
import { emptyConversation } from "./conversation.ts";
import type { Draft, ModelChoice } from "./drafts.ts";
import { toOpenCodeId } from "./ids.ts";
import { exchangeMessages, factsOf } from "./messages.ts";
import { messageRequest, type Prompt, titleFrom } from "./prompt.ts";
import type { MessageWithParts } from "./wire.ts";

export interface Overrides {
  model: ModelChoice | null;
  agentMode: string | null;
}

/** Posts the prompt to its session. A draft becomes a session first. */
export async function sendPrompt(
  context: OpenCodeContext,
  sessionId: string,
  prompt: Prompt,
): Promise<{ session: Session; posted: Posted }> {
  const session = await sessionFor(context, sessionId, overridesOf(prompt), titleFrom(prompt));
  const request = await messageRequest(prompt, (file) => keepAttachment(context, session.number, file));
  // A client may send a message with an id again after a broken connection; it is posted once.
  const posted = await session.post(request, prompt.messageID ?? null, prompt.messageID);
  return { session, posted };
}

/** The session, updated to the settings that the prompt overrides. */
export async function sessionFor(
  context: OpenCodeContext,
  id: string,
  overrides: Overrides,
  title: string | null = null,
): Promise<Session> {
  const draft = context.drafts.find(id);
  if (draft) await begin(context, draft, overrides, title);
  const session = context.sessions.get(id);
  await adjust(context, session, overrides);
  return session;
}

/** A second message may arrive while the agent starts for the first: both wait for the same session. */
function begin(context: OpenCodeContext, draft: Draft, overrides: Overrides, title: string | null): Promise<void> {
  draft.creation ??= create(context, draft, overrides, title)
    .catch((error) => {
      const message = error instanceof ProblemError ? error.message : "the session could not be created";
      context.announcements.fail(draft.directory, toOpenCodeId(draft.id), message);
      throw error;
    })
    .finally(() => {
      draft.creation = null;
    });
  return draft.creation;
}

async function create(
  context: OpenCodeContext,
  draft: Draft,
  overrides: Overrides,
  title: string | null,
): Promise<void> {
  const choice = overrides.model ?? draft.model ?? (await context.catalog.defaultChoice());
  await context.sessions.create(draft.id, {
    agent: choice.providerID,
    model: await context.catalog.modelFor(choice.providerID, choice.modelID),
    variant: variantOf(choice),
    agentMode: overrides.agentMode ?? draft.agentMode,
    permissionMode: draft.permissionMode,
    directory: draft.directory,
    title: draft.title ?? title,
  });
  context.drafts.remove(draft.id);
}

async function adjust({ sessions, catalog }: OpenCodeContext, session: Session, overrides: Overrides): Promise<void> {
  const info = session.info();
  const change: UpdateSessionRequest = {};
  if (overrides.model) {
    const { providerID, modelID } = overrides.model;
    if (providerID !== info.agent)
      throw new ProblemError(
        "invalid_request",
        `this session runs ${info.agent} and cannot be changed to ${providerID}; start a new session for it`,
      );
    const model = await catalog.modelFor(providerID, modelID);
    if (model !== null && model !== info.model) change.model = model;
    const variant = variantOf(overrides.model);
    if (variant !== info.variant) change.variant = variant;
  }
  if (overrides.agentMode !== null && overrides.agentMode !== info.agentMode) change.agentMode = overrides.agentMode;
  if (Object.keys(change).length > 0) await sessions.update(session.id, change);
}

/** Clients send "default" when no variant is chosen. */
function variantOf({ variant }: ModelChoice): string | null {
  return variant === undefined || variant === "default" ? null : variant;
}

function overridesOf({ model, agent, variant }: Pick<Prompt, "model" | "agent" | "variant">): Overrides {
  const choice = model && { ...model, ...(variant && { variant }) };
  return { model: choice ?? null, agentMode: agent ?? null };
}

/**
 * `opencode run` exits as soon as it has the answer and loses events that are still in flight on its event stream. There
 * is no acknowledgement to wait for, so the answer is delayed.
 */
const answerDelayMs = 100;

/** Resolves to the answer when the turn of the message has ended. */
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
  await Bun.sleep(answerDelayMs);
  context.log.flush();
  const before = { ...session.state, sequence: posted.afterSequence, openItems: {} };
  const conversation = await readEvents(context, session, emptyConversation(Number.MAX_SAFE_INTEGER, before));
  const exchange = conversation.exchanges.find(({ messageId }) => messageId === posted.messageId);
  const answer = exchange && exchangeMessages(factsOf(session.info()), conversation, exchange).at(-1);
  if (answer) return answer;
  throw new ProblemError("conflict", "the message was cancelled before its turn started");
}
