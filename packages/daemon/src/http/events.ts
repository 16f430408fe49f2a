/** Events: pages of history and live streams. */
import type { GlobalCursor } from "../store/history.ts";
import type { HttpContext } from "./context.ts";
import { eventPage } from "./event-page.ts";
import { globalFrames, parseGlobalCursor, sessionFrames } from "./frame-sources.ts";
import { lastSequenceSeen, logHeader, type Reset, resetFor, resetFrame, sessionLogId } from "./log-cursor.ts";
import type { Handlers } from "./router.ts";

export function eventHandlers(context: HttpContext) {
  const { sessions, streams, log, history } = context;
  return {
    getEvents({ signal, params, query }) {
      const { number, state, firstSequence } = sessions.get(params.session_id);
      const id = sessionLogId(log, number);
      const headers = { "content-type": "application/json", [logHeader]: id };
      if (resetAt(query.offset ?? 0, state.sequence, query.log, id))
        return new Response('{"events":[],"hasMore":false,"reset":true}', { headers });
      // Events removed by retention count neither for the limit nor for `hasMore`.
      const after = Math.max(query.offset ?? 0, firstSequence - 1);
      const limit = query.limit ?? Number.MAX_SAFE_INTEGER;
      const stored = state.sequence - log.pendingRecords(number).length;
      const last = Math.min(stored, after + limit);
      const span = { sessionNumber: number, after, last, hasMore: last < stored };
      const body = eventPage(history, span, query.include_raw ?? false, signal);
      return new Response(body, { headers });
    },
    streamEvents({ request, signal, connection, params, query }) {
      const { number, state } = sessions.get(params.session_id);
      const id = sessionLogId(log, number);
      const seen = Math.max(query.offset ?? 0, lastSequenceSeen(request));
      const reset = resetAt(seen, state.sequence, query.log, id);
      const source = sessionFrames(context, number, query.include_raw ?? false);
      return streams.open(
        { signal, connection },
        source,
        reset ? 0 : seen,
        { [logHeader]: id },
        reset ? resetFrame(reset) : "",
      );
    },
    streamAllEvents({ request, signal, connection, query, principal }) {
      const seen = [request.headers.get("last-event-id"), query.offset].flatMap((id) =>
        id ? [parseGlobalCursor(id)] : [],
      );
      const cursor = latestOf(seen) ?? wholeCommit(log.position);
      const reset = resetFor({
        log: log.id,
        known: query.log,
        isAtStart: cursor.position === 0,
        isBeyondEnd: cursor.position > log.position,
      });
      const start = reset ? wholeCommit(0) : cursor;
      const source = globalFrames(context, query.include_raw ?? false, principal);
      // The start of the stream, so that a client that loses it before the first frame can resume there.
      const headers = { "last-event-id": globalId(start), [logHeader]: log.id };
      return streams.open({ signal, connection }, source, start, headers, reset ? resetFrame(reset) : "");
    },
  } satisfies Partial<Handlers>;
}

function resetAt(seen: number, last: number, known: string | undefined, id: string): Reset | null {
  return resetFor({ log: id, known, isAtStart: seen === 0, isBeyondEnd: seen > last });
}

function wholeCommit(position: number): GlobalCursor {
  return { position, sequence: Number.MAX_SAFE_INTEGER };
}

function globalId({ position, sequence }: GlobalCursor): string {
  return sequence === Number.MAX_SAFE_INTEGER ? String(position) : `${position}.${sequence}`;
}

function latestOf(cursors: GlobalCursor[]): GlobalCursor | undefined {
  return cursors.toSorted((a, b) => a.position - b.position || a.sequence - b.sequence).at(-1);
}
