/**
 * Ids in the form OpenCode's clients expect: a prefix, then something that rises with time, because they sort by it.
 * All are derived from the log, so they are the same for every client and after a restart.
 */
import type { TranscriptItem, UniversalEvent } from "@sandbox-agent/schema";

export function newSessionId(): string {
  return `ses_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}

const foreign = "ses_as_";

/** The id under which clients know a session: they refuse one that does not begin as their own do. */
export function shownId(sessionId: string): string {
  const fits = sessionId.startsWith("ses") && !sessionId.startsWith(foreign);
  return fits ? sessionId : foreign + Buffer.from(sessionId).toString("base64url");
}

/** The session that a client means. */
export function meantId(shown: string): string {
  return shown.startsWith(foreign) ? Buffer.from(shown.slice(foreign.length), "base64url").toString() : shown;
}

/** For a message that no client has given an id: named after the event that began it. */
export function messageIdOf(event: UniversalEvent): string {
  return event.event_id.replace("evt_", "msg_");
}

/** Sorts right behind the message it answers. */
export function answerId(userMessageId: string): string {
  return `${userMessageId}a`;
}

/** Parts are shown in the order of their ids: that of the items, and inside an item that of its content. */
export function partId({ sequence }: Pick<TranscriptItem, "sequence">, index: number): string {
  return `prt_${digits(sequence, 10)}${digits(index, 4)}`;
}

/** Parts of a user's message are the same while it is queued and when its turn has begun. */
export function userPartId(messageId: string, index: number): string {
  return `prt_${messageId.replace("msg_", "")}${digits(index, 4)}`;
}

export type RequestPrefix = "per" | "que";

/** Replies name a request alone, so its id says which session it belongs to. */
export function requestId(prefix: RequestPrefix, sessionId: string, askedAt: number): string {
  return `${prefix}_${digits(askedAt, 10)}${Buffer.from(sessionId).toString("base64url")}`;
}

export function parseRequestId(prefix: RequestPrefix, id: string): { sessionId: string; askedAt: number } | null {
  const [, given, askedAt, session] = id.match(/^(per|que)_(\d{10})([\w-]+)$/) ?? [];
  if (given !== prefix || !askedAt || !session) return null;
  return { sessionId: meantId(Buffer.from(session, "base64url").toString()), askedAt: Number(askedAt) };
}

function digits(number: number, width: number): string {
  return String(number).padStart(width, "0");
}
