/**
 * The event streams of the OpenCode API. Each reader follows the log page by page, so one that is slow loses nothing and costs
 * nothing, and puts what it reads into OpenCode's words as it goes.
 */
import { hasRequests, initialState, isQuiet, type SessionInfo, type UniversalEvent } from "@sandbox-agent/schema";
import type { FrameSource } from "../../http/sse.ts";
import type { Session } from "../../session/session.ts";
import { typeOf } from "../../store/encode.ts";
import type { GlobalCursor } from "../../store/history.ts";
import type { OpenCodeContext } from "./context.ts";
import { converse, emptyConversation } from "./conversation.ts";
import { factsOf } from "./messages.ts";
import { catchUp, type Followed, project } from "./project.ts";
import { openPermissions, openQuestions } from "./requests.ts";
import { projectId, sessionView } from "./session-view.ts";
import type { OpenCodeEvent } from "./wire.ts";

/** About the connection, and of no directory. */
type ServerEvent = { type: "server.connected" | "server.heartbeat"; properties: Record<never, never> };

/** Clients take a stream without any event for this long to be dead. */
const heartbeatMs = 10_000;
/** Somebody who lost the connection may have missed the end of what is not older than this. */
const recentMs = 120_000;
/** A reader that stalls misses announcements beyond these. */
const maxAnnounced = 1000;
/** How many events are read at a time. */
const pageEvents = 500;

/** Bare events of a directory; without one those of all, each in an envelope that names its own. */
export function openCodeFrames(context: OpenCodeContext, directory: string | null): FrameSource<GlobalCursor> {
  const { log, history, sessions, announcements, diffs } = context;
  const followed = new Map<string, Followed>();
  /** What was announced since the reader last took something. It is not in the log: the oldest of too much is dropped. */
  const announced: string[] = [];
  const greeting = greet();
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
    const joined = following(context, info, { ...initialState, sequence: sequence - 1, settings });
    followed.set(session_id, joined);
    return joined;
  }

  function told(event: UniversalEvent): string[] {
    const session = follow(event);
    // The greeting has read further in this session.
    if (!session || event.sequence <= session.conversation.transcript.state.sequence) return [];
    const frames = project(session, event).map((each) => frame(each, session.facts.directory));
    if (event.type === "file.changed") diffs.changed(event.session_id);
    const { state } = session.conversation.transcript;
    // A session at rest can be joined again when it goes on.
    if (isQuiet(state) && !hasRequests(state)) followed.delete(event.session_id);
    return frames;
  }

  /** Who is there, what runs, what waits for an answer: text after each piece of work, which may be empty. */
  function* greet(): Generator<string> {
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
      // A reader of one directory waits for the end of its own turn and must not take this for it.
      const news = session.state.turn || directory === null ? catchUp(known) : [];
      yield [...news, ...requests].map((event) => frame(event, facts.directory)).join("");
    }
  }

  return {
    page(after) {
      begin ??= { position: log.position, sequence: Number.MAX_SAFE_INTEGER };
      const { value, done } = greeting.next();
      if (!done) return { data: value || null, next: begin };
      if (announced.length > 0) return { data: announced.splice(0).join(""), next: after };
      const { records, next } = history.globalPage(after);
      if (next.position === after.position && next.sequence === after.sequence) return null;
      const frames = records.flatMap(({ record }) => {
        const event: UniversalEvent = JSON.parse(record.text);
        return told(event);
      });
      return { data: frames.join("") || null, next };
    },
    subscribe({ changed }) {
      const tell = (event: OpenCodeEvent | ServerEvent, from: string | null) => {
        announced.push(frame(event, from));
        if (announced.length > maxAnnounced) announced.shift();
        changed();
      };
      const beat = setInterval(() => {
        if (announced.length === 0) tell({ type: "server.heartbeat", properties: {} }, null);
      }, heartbeatMs);
      const stops = [
        log.feed.subscribe(null, {
          // Each event is projected for this reader, so it always goes through the log.
          deliver: changed,
          deleted(info) {
            followed.delete(info.sessionId);
            const { id: sessionID, directory: from } = factsOf(info);
            tell({ type: "session.deleted", properties: { sessionID, info: sessionView(info) } }, from);
          },
        }),
        announcements.listen(tell),
        () => clearInterval(beat),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function following({ sessions, drafts }: OpenCodeContext, info: SessionInfo, state = initialState): Followed {
  return {
    facts: factsOf(info),
    conversation: emptyConversation(2, state),
    shown: () => sessionView(sessions.peek(info.sessionId) ?? info),
    isAnnounced: () => drafts.find(info.sessionId) !== null,
  };
}

/** Whether somebody may be in the middle of the newest exchange of a session. */
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
  const known = following(context, session.info(), first > 1 ? before : initialState);
  const { transcript } = known.conversation;
  for (;;) {
    log.tryFlush();
    const records = history.page(session.number, transcript.state.sequence, pageEvents);
    if (records.length === 0) break;
    for (const { text } of records) converse(known.conversation, JSON.parse(text));
    yield "";
  }
  // What is queued or open may have begun before.
  transcript.state = { ...session.state, sequence: transcript.state.sequence };
  return known;
}

/**
 * Where to start reading for the newest exchange: its turn, or the beginning of the log if settings have changed since that
 * turn began, because an exchange shows those it began with. Searches backwards, in growing steps.
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
