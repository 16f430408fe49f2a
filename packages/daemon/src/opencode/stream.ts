/**
 * The door's event streams. Each reader follows the log page by page, so one that is slow loses nothing and costs
 * nothing, and puts what it reads into OpenCode's words as it goes.
 */
import { hasRequests, initialState, isQuiet, type SessionInfo, type UniversalEvent } from "@sandbox-agent/schema";
import type { FrameSource } from "../http/sse.ts";
import type { Session } from "../session/session.ts";
import type { GlobalCursor } from "../store/history.ts";
import type { DoorContext } from "./context.ts";
import { emptyConversation } from "./conversation.ts";
import { factsOf } from "./messages.ts";
import { catchUp, type Followed, project } from "./project.ts";
import { openPermissions, openQuestions, toolIn } from "./requests.ts";
import { projectId, sessionView } from "./session-view.ts";
import type { DoorEvent } from "./wire.ts";

export interface StreamOptions {
  /** Events of all directories, each in an envelope that names its own; otherwise bare events of that directory. */
  directory: string | null;
}

/** About the connection, and of no directory. */
type ServerEvent = { type: "server.connected" | "server.heartbeat"; properties: Record<never, never> };

/** Clients take a stream without any event for this long to be dead. */
const heartbeatMs = 10_000;
/** Somebody who lost the connection may have missed the end of what is not older than this. */
const recentMs = 120_000;

export function doorFrames(context: DoorContext, { directory }: StreamOptions): FrameSource<GlobalCursor> {
  const { log, history, sessions, announcements, diffs } = context;
  const followed = new Map<string, Followed>();
  /** What was announced since the reader last took something. */
  const announced: string[] = [];
  let greeted = false;
  let count = 0;

  function frame(event: DoorEvent | ServerEvent, from: string | null): string {
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
    if (!session) return [];
    const frames = project(session, event).map((each) => frame(each, session.facts.directory));
    if (event.type === "file.changed") diffs.changed(event.session_id);
    const { state } = session.conversation.transcript;
    // A session at rest can be joined again when it goes on.
    if (isQuiet(state) && !hasRequests(state)) followed.delete(event.session_id);
    return frames;
  }

  /** The first words: who is there, what runs, what waits for an answer. */
  function greet(): string {
    const present = sessions.live().flatMap((session) => {
      const known = readNewest(context, session);
      if (!known) return [];
      followed.set(session.id, known);
      const find = toolIn(known.conversation);
      const requests = [
        ...openPermissions(known.facts.id, session.state, find).map(
          (properties): DoorEvent => ({ type: "permission.asked", properties }),
        ),
        ...openQuestions(known.facts.id, session.state, find).map(
          (properties): DoorEvent => ({ type: "question.asked", properties }),
        ),
      ];
      // A reader of one directory waits for the end of its own turn and must not take this for it.
      const news = session.state.turn || directory === null ? catchUp(known) : [];
      return [...news, ...requests].map((event) => frame(event, known.facts.directory));
    });
    return frame({ type: "server.connected", properties: {} }, null) + present.join("");
  }

  return {
    page(after) {
      if (!greeted) {
        greeted = true;
        log.flush();
        return { data: greet(), next: { position: log.position, sequence: Number.MAX_SAFE_INTEGER } };
      }
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
      const tell = (event: DoorEvent | ServerEvent, from: string | null) => {
        announced.push(frame(event, from));
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
            tell(deletedEvent(info), factsOf(info).directory);
          },
        }),
        announcements.listen(({ event, directory: from }) => tell(event, from)),
        () => clearInterval(beat),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function following({ sessions, drafts }: DoorContext, info: SessionInfo, state = initialState): Followed {
  return {
    facts: factsOf(info),
    conversation: emptyConversation(2, state),
    shown: () => sessionView(sessions.peek(info.sessionId) ?? info),
    isAnnounced: () => drafts.find(info.sessionId) !== null,
  };
}

/** A session whose newest exchange somebody may be in the middle of. */
function readNewest(context: DoorContext, session: Session): Followed | null {
  const { turn, requestedAt, time } = session.state;
  const isOpen = turn !== null || Object.keys(requestedAt).length > 0;
  if (!isOpen && Date.now() - Date.parse(time) > recentMs) return null;
  const known = following(context, session.info());
  for (const { text } of context.history.records(session.number, 0)) {
    const event: UniversalEvent = JSON.parse(text);
    project(known, event);
  }
  return known;
}

function deletedEvent(info: SessionInfo): DoorEvent {
  return { type: "session.deleted", properties: { sessionID: factsOf(info).id, info: sessionView(info) } };
}
