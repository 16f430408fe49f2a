/**
 * Ids in the form that OpenCode's clients expect: a prefix, then a part that increases with time, because they sort by
 * id. All are derived from the log, so they are the same for every client and after a restart.
 */
import type { TranscriptItem, UniversalEvent } from "@sandbox-agent/schema";

export function newSessionId(): string {
  return `ses_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}

const foreignPrefix = "ses_as_";

/** OpenCode's clients reject session ids that do not start with `ses`; other ids are encoded behind a prefix. */
export function toOpenCodeId(sessionId: string): string {
  const fits = sessionId.startsWith("ses") && !sessionId.startsWith(foreignPrefix);
  return fits ? sessionId : foreignPrefix + Buffer.from(sessionId).toString("base64url");
}

/** The reverse of `toOpenCodeId`. */
export function fromOpenCodeId(id: string): string {
  return id.startsWith(foreignPrefix) ? Buffer.from(id.slice(foreignPrefix.length), "base64url").toString() : id;
}

/** For a message without an id from its client: derived from the event that started it. */
export function messageIdOf(event: UniversalEvent): string {
  return event.event_id.replace("evt_", "msg_");
}

/** Sorts directly after the message that it answers. */
export function answerId(userMessageId: string): string {
  return `${userMessageId}a`;
}

/** Clients sort parts by id: first by item, then by the position in the item's content. */
export function partId({ sequence }: Pick<TranscriptItem, "sequence">, index: number): string {
  return `prt_${digits(sequence, 10)}${digits(index, 4)}`;
}

/** The parts of a user's message keep their ids when the queued message starts its turn. */
export function userPartId(messageId: string, index: number): string {
  return `prt_${messageId.replace("msg_", "")}${digits(index, 4)}`;
}

export type RequestPrefix = "per" | "que";

/** A reply contains only the id of the request, so that id includes the session. */
export function requestId(prefix: RequestPrefix, sessionId: string, askedAt: number): string {
  return `${prefix}_${digits(askedAt, 10)}${Buffer.from(sessionId).toString("base64url")}`;
}

export function parseRequestId(prefix: RequestPrefix, id: string): { sessionId: string; askedAt: number } | null {
  const [, given, askedAt, session] = id.match(/^(per|que)_(\d{10})([\w-]+)$/) ?? [];
  if (given !== prefix || !askedAt || !session) return null;
  return { sessionId: fromOpenCodeId(Buffer.from(session, "base64url").toString()), askedAt: Number(askedAt) };
}

function digits(number: number, width: number): string {
  return String(number).padStart(width, "0");
}
