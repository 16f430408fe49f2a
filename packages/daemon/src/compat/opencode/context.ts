/** What the handlers share: the daemon, and the little state that the OpenCode API needs beyond the log. */
import { ProblemError } from "@sandbox-agent/schema";
import type { HttpContext } from "../../http/context.ts";
import type { Session } from "../../session/session.ts";
import { Announcements } from "./announcements.ts";
import { Catalog } from "./catalog.ts";
import { DiffAnnouncer } from "./changes.ts";
import { applyToConversation, type Conversation, type Exchange, emptyConversation } from "./conversation.ts";
import { Drafts } from "./drafts.ts";
import { answerId } from "./ids.ts";

export interface OpenCodeContext extends HttpContext {
  catalog: Catalog;
  drafts: Drafts;
  announcements: Announcements;
  diffs: DiffAnnouncer;
}

export function openCodeContext(context: HttpContext): OpenCodeContext {
  const announcements = new Announcements();
  return {
    ...context,
    catalog: new Catalog(context.agents),
    drafts: new Drafts(),
    announcements,
    diffs: new DiffAnnouncer(context.sessions, announcements),
  };
}

/** The last exchanges of a session. */
export function readConversation(context: OpenCodeContext, session: Session, keep = Number.MAX_SAFE_INTEGER) {
  return readEvents(context, session, emptyConversation(keep));
}

/** Applies the events after the state of a conversation, read from the log in slices. */
export async function readEvents(
  { history }: OpenCodeContext,
  { number }: Session,
  conversation: Conversation,
): Promise<Conversation> {
  for await (const records of history.pages(number, conversation.transcript.state.sequence))
    for (const { text } of records) applyToConversation(conversation, JSON.parse(text));
  return conversation;
}

/** The exchange that a message belongs to, as the user's message or as the answer. */
export async function exchangeOf(context: OpenCodeContext, session: Session, messageId: string): Promise<Exchange> {
  const { exchanges } = await readConversation(context, session);
  const found = exchanges.find((each) => each.messageId === messageId || answerId(each.messageId) === messageId);
  if (found) return found;
  throw new ProblemError("not_found", `there is no message ${messageId} in this session`);
}
