/**
 * The event streams of the OpenCode API. Each reader reads the log page by page and converts the events as it goes, so a
 * slow reader loses nothing and needs no buffer.
 */
import { hasRequests, initialState, isQuiet, type SessionInfo, type UniversalEvent } from "@sandbox-agent/schema";
import type { FrameSource } from "../../http/sse.ts";
import type { Session } from "../../session/session.ts";
import { typeOf } from "../../store/encode.ts";
import type { GlobalCursor } from "../../store/history.ts";
import type { OpenCodeContext } from "./context.ts";
import { applyToConversation, emptyConversation } from "./conversation.ts";
import { factsOf } from "./messages.ts";
import { catchUp, type Followed, project } from "./project.ts";
import { openPermissions, openQuestions } from "./requests.ts";
import { projectId, sessionView } from "./session-view.ts";
import type { OpenCodeEvent } from "./wire.ts";

/** Events about the connection; they belong to no directory. */
type ServerEvent = { type: "server.connected" | "server.heartbeat"; properties: Record<never, never> };

/** Clients treat a stream without events as dead. */
const heartbeatMs = 10_000;
/** A client that reconnects may have missed the end of an exchange that is not older than this. */
const recentMs = 120_000;
/** A stalled reader misses the oldest announcements beyond this number. */
const maxAnnounced = 1000;
/** How many events are read per page. */
const pageEvents = 500;

/** The events of a directory. Without one: those of all directories, each in an envelope that names its directory. */
export function openCodeFrames(context: OpenCodeContext, directory: string | null): FrameSource<GlobalCursor> {
  const { log, history, sessions, announcements, diffs } = context;
  const followed = new Map<string, Followed>();
  /** Announcements since the reader's last page. They are not in the log: beyond `maxAnnounced` the oldest are dropped. */
  const announced: string[] = [];
  const snapshot = readSnapshot();
  let begin: GlobalCursor | null = null;
  let count = 0;

  function frame(event: OpenCodeEvent | ServerEvent, from: string | null): string {
    if (directory !== null && from !== null && from !== directory) return "";
    const payload = { id: `evt_${String(++count).padStart(10, "0")}`, ...event };
    const place = from === null ? {} : { directory: from, project: projectId };
    return `data: ${JSON.stringify(directory === null ? { ...place, payload } : payload)}\n\n`;
  }

  /** The session an event belongs to; null when it has been deleted since. */
  function follow({ session_id, sequence }: UniversalEvent): Followed | null {
    const known = followed.get(session_id);
    if (known) return known;
    const info = sessions.peek(session_id);
    if (!info) return null;
    const { agentMode, permissionMode, model, variant, title } = info;
    const settings = { agentMode, permissionMode, model, variant, title };
    const joined = startFollowing(context, info, { ...initialState, sequence: sequence - 1, settings });
    followed.set(session_id, joined);
    return joined;
  }

  function toFrames(event: UniversalEvent): string[] {
    const session = follow(event);
    // The snapshot already contains this event.
    if (!session || event.sequence <= session.conversation.transcript.state.sequence) return [];
    const frames = project(session, event).map((each) => frame(each, session.facts.directory));
    if (event.type === "file.changed") diffs.changed(event.session_id);
    const { state } = session.conversation.transcript;
    // A quiet session needs no state here: following it again starts at its next event.
    if (isQuiet(state) && !hasRequests(state)) followed.delete(event.session_id);
    return frames;
  }

  /** Recent exchanges and open requests, for a new reader. Yields after each piece of work; the text may be empty. */
  function* readSnapshot(): Generator<string> {
    yield frame({ type: "server.connected", properties: {} }, null);
    for (const session of sessions.live()) {
      if (!isRecent(session)) continue;
      const known = yield* readNewest(context, session);
      followed.set(session.id, known);
      const { facts, conversation } = known;
      const permissions = openPermissions(facts.id, session.state, conversation);
      const questions = openQuestions(facts.id, session.state, conversation);
      const requests: OpenCodeEvent[] = [
        ...permissions.map((properties) => ({ type: "permission.asked" as const, properties })),
        ...questions.map((properties) => ({ type: "question.asked" as const, properties })),
      ];
      // A reader of one directory waits for the end of its own turn; it must not mistake an older one for it.
      const missed = session.state.turn || directory === null ? catchUp(known) : [];
      yield [...missed, ...requests].map((event) => frame(event, facts.directory)).join("");
    }
  }

  return {
    page(after) {
      begin ??= { position: log.position, sequence: Number.MAX_SAFE_INTEGER };
      const { value, done } = snapshot.next();
      if (!done) return { data: value || null, next: begin };
      if (announced.length > 0) return { data: announced.splice(0).join(""), next: after };
      const { records, next } = history.globalPage(after);
      if (next.position === after.position && next.sequence === after.sequence) return null;
      const frames = records.flatMap(({ record }) => {
        const event: UniversalEvent = JSON.parse(record.text);
        return toFrames(event);
      });
      return { data: frames.join("") || null, next };
    },
    subscribe({ changed }) {
      const announce = (event: OpenCodeEvent | ServerEvent, from: string | null) => {
        announced.push(frame(event, from));
        if (announced.length > maxAnnounced) announced.shift();
        changed();
      };
      const beat = setInterval(() => {
        if (announced.length === 0) announce({ type: "server.heartbeat", properties: {} }, null);
      }, heartbeatMs);
      const stops = [
        log.feed.subscribe(null, {
          // Each event is projected for this reader, so it always goes through the log.
          deliver: changed,
          deleted(info) {
            followed.delete(info.sessionId);
            const { id: sessionID, directory: from } = factsOf(info);
            announce({ type: "session.deleted", properties: { sessionID, info: sessionView(info) } }, from);
          },
        }),
        announcements.listen(announce),
        () => clearInterval(beat),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function startFollowing({ sessions, drafts }: OpenCodeContext, info: SessionInfo, state = initialState): Followed {
  return {
    facts: factsOf(info),
    conversation: emptyConversation(2, state),
    view: () => sessionView(sessions.peek(info.sessionId) ?? info),
    isAnnounced: () => drafts.find(info.sessionId) !== null,
  };
}

/** Whether a client may still be following the newest exchange of a session. */
function isRecent({ state: { turn, requestedAt, time } }: Session): boolean {
  if (turn !== null || Object.keys(requestedAt).length > 0) return true;
  return Date.now() - Date.parse(time) <= recentMs;
}

/** The newest exchange of a session, up to the end of its log. Yields between pages. */
function* readNewest(context: OpenCodeContext, session: Session): Generator<"", Followed> {
  const { log, history } = context;
  const first = yield* startOfNewest(context, session);
  const { settings, turnCount } = session.state;
  const before = { ...initialState, sequence: first - 1, settings, turnCount: Math.max(0, turnCount - 1) };
  const known = startFollowing(context, session.info(), first > 1 ? before : initialState);
  const { transcript } = known.conversation;
  for (;;) {
    log.tryFlush();
    const records = history.page(session.number, transcript.state.sequence, pageEvents);
    if (records.length === 0) break;
    for (const { text } of records) applyToConversation(known.conversation, JSON.parse(text));
    yield "";
  }
  // Queued messages and open requests may be older than the newest exchange.
  transcript.state = { ...session.state, sequence: transcript.state.sequence };
  return known;
}

/**
 * Where to start reading for the newest exchange: its turn, or the start of the log if settings changed after that turn
 * started, because an exchange shows the settings it started with. Searches backwards, in growing steps.
 */
function* startOfNewest({ history }: OpenCodeContext, { number, state }: Session): Generator<"", number> {
  for (let span = pageEvents; ; span *= 4) {
    const start = state.turn ? state.turn.firstSequence - 1 : Math.max(0, state.sequence - span);
    let first = 0;
    let changed = 0;
    for (let last = start; last < state.sequence; ) {
      const records = history.page(number, last);
      if (records.length === 0) break;
      for (const record of records) {
        const type = typeOf(record);
        if (type === "turn.started") first = record.sequence;
        if (type === "session.updated") changed = record.sequence;
      }
      last = records.at(-1)?.sequence ?? last;
      yield "";
    }
    if (first > 0 && changed < first) return first;
    if (first > 0 || start === 0 || state.turn) return 1;
  }
}
