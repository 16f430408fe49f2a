/** Sources of event streams: one session, one turn of it, or all sessions. */
import { type EventType, ProblemError, type UniversalEvent } from "@sandbox-agent/schema";
import { hasScope, mayUseSession, type Principal } from "../access/principal.ts";
import type { Taken } from "../follow/follow.ts";
import { sessionSource } from "../follow/session-source.ts";
import type { SessionContext } from "../session/context.ts";
import type { Posted } from "../session/session.ts";
import { eventFrame, type LogRecord, typeOf } from "../store/encode.ts";
import type { GlobalCursor } from "../store/history.ts";
import type { FrameSource, Frames } from "./sse.ts";

/** All events of a session; the position is the last sequence seen. */
export function sessionFrames(
  context: SessionContext,
  sessionNumber: number,
  includeRaw: boolean,
): FrameSource<number> {
  return sessionSource<Frames>(context, sessionNumber, {
    records: (records) => ({ data: framesOf(records, includeRaw) }),
    batch: (batch) => ({ data: batch.sessionFrames(includeRaw) }),
  });
}

/** The events of all sessions that the principal may read, in the order of their commits. */
export function globalFrames(
  { log, history }: SessionContext,
  includeRaw: boolean,
  principal: Principal,
): FrameSource<GlobalCursor> {
  const isLimited = principal.sessions !== null;
  const mayRead = ({ text }: LogRecord) => {
    const { session_id }: UniversalEvent = JSON.parse(text);
    return mayUseSession(principal, session_id);
  };
  const mayReadNotices = !isLimited && hasScope(principal, "processes");
  return {
    page(after) {
      const { records, next } = history.globalPage(after);
      if (next.position === after.position && next.sequence === after.sequence) return null;
      const readable = isLimited ? records.filter(({ record }) => mayRead(record)) : records;
      const frames = readable.map(({ position, sequence, record }) =>
        eventFrame(`${position}.${sequence}`, record, includeRaw),
      );
      return { data: frames.join("") || null, next };
    },
    subscribe: ({ append, notice }) =>
      log.feed.subscribe(null, {
        deliver: (batch) =>
          append({
            follows: (cursor) => cursor.position === batch.position - 1,
            // All records of a batch belong to one session.
            take: () => ({
              data: isLimited && !batch.records.slice(0, 1).every(mayRead) ? null : batch.globalFrames(includeRaw),
            }),
            end: { position: batch.position, sequence: batch.last },
          }),
        // Notices are about processes and installations.
        ...(mayReadNotices && { notice: (data: string) => notice(`data: ${data}\n\n`) }),
      }),
  };
}

/** Parses a frame id of the global stream. A position without a sequence includes the whole commit. */
export function parseGlobalCursor(text: string): GlobalCursor {
  const [, position, sequence] = text.match(/^(\d{1,15})(?:\.(\d{1,15}))?$/) ?? [];
  if (position === undefined)
    throw new ProblemError("invalid_request", `Last-Event-ID "${text}" is not the id of a frame of this stream`);
  return { position: Number(position), sequence: sequence === undefined ? Number.MAX_SAFE_INTEGER : Number(sequence) };
}

const turnStreamEnds: ReadonlySet<string> = new Set<EventType>([
  "turn.ended",
  "session.ended",
  "error",
  "agent.unparsed",
  "permission.requested",
  "question.requested",
]);

/** The events of one message's turn, from `turn.started` to the first event that needs the client or ends the turn. */
export function turnFrames(
  context: SessionContext,
  sessionNumber: number,
  { messageId, steered }: Posted,
  includeRaw: boolean,
): FrameSource<number> {
  let started = steered;

  function select(records: readonly LogRecord[]): Taken<Frames> {
    const selected: LogRecord[] = [];
    for (const record of records) {
      const type = typeOf(record);
      const cancelled = type === "message.cancelled" && isOurs(record);
      started ||= type === "turn.started" && isOurs(record);
      if (started || cancelled) selected.push(record);
      if (cancelled || (started && turnStreamEnds.has(type)))
        return { data: framesOf(selected, includeRaw), last: true };
    }
    return { data: selected.length > 0 ? framesOf(selected, includeRaw) : null };
  }

  function isOurs({ text }: LogRecord): boolean {
    const event: UniversalEvent = JSON.parse(text);
    if (event.type === "turn.started") return event.data.metadata?.message_id === messageId;
    return event.type === "message.cancelled" && event.data.message_id === messageId;
  }

  return sessionSource(context, sessionNumber, { records: select, batch: ({ records }) => select(records) });
}

function framesOf(records: readonly LogRecord[], includeRaw: boolean): string {
  return records.map((record) => eventFrame(record.sequence, record, includeRaw)).join("");
}
