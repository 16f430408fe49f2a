/** What the door's handlers work with: the daemon, and the little that OpenCode's API needs beyond the log. */
import { ProblemError, type UniversalEvent } from "@sandbox-agent/schema";
import type { HttpContext } from "../http/context.ts";
import type { Session } from "../session/session.ts";
import { Announcements } from "./announcements.ts";
import { Catalogue } from "./catalogue.ts";
import { DiffNews } from "./changes.ts";
import { type Conversation, converse, type Exchange, emptyConversation } from "./conversation.ts";
import { Drafts } from "./drafts.ts";
import { answerId } from "./ids.ts";

export interface DoorContext extends HttpContext {
  catalogue: Catalogue;
  drafts: Drafts;
  announcements: Announcements;
  diffs: DiffNews;
}

export function doorContext(context: HttpContext): DoorContext {
  const announcements = new Announcements();
  return {
    ...context,
    catalogue: new Catalogue(context.agents),
    drafts: new Drafts(),
    announcements,
    diffs: new DiffNews(context.sessions, announcements),
  };
}

/** The last exchanges of a session as its log tells them. */
export function readConversation(
  { history }: DoorContext,
  session: Session,
  keep = Number.MAX_SAFE_INTEGER,
): Conversation {
  const conversation = emptyConversation(keep);
  for (const { text } of history.records(session.number, 0)) {
    const event: UniversalEvent = JSON.parse(text);
    converse(conversation, event);
  }
  return conversation;
}

/** The exchange a message is part of, be it the question or the answer. */
export function exchangeOf(context: DoorContext, session: Session, messageId: string): Exchange {
  const { exchanges } = readConversation(context, session);
  const found = exchanges.find((each) => each.messageId === messageId || answerId(each.messageId) === messageId);
  if (found) return found;
  throw new ProblemError("not_found", `there is no message ${messageId} in this session`);
}
