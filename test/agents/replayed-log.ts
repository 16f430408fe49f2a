/** What the daemon makes of drafts and of a client's messages, kept in memory: recordings are played into it. */
import { readFileSync } from "node:fs";
import type { Draft } from "@sandbox-agent/agents";
import {
  foldEvent,
  initialState,
  type SessionState,
  type TurnEndReason,
  type UniversalEvent,
} from "@sandbox-agent/schema";
import { permissionResolved, questionResolved, userItem } from "../../packages/daemon/src/session/client-events.ts";
import { type EventBody, endTurn, type ItemMemory, normalize } from "../../packages/daemon/src/session/normalize.ts";

export type ReplayedLog = ReturnType<typeof replayedLog>;

export function replayedLog(nativeSessionId: () => string | null) {
  const events: UniversalEvent[] = [];
  const memory: ItemMemory = {
    itemIds: new Map(),
    deltasOf: ({ item }) =>
      events.flatMap((event) =>
        event.type === "item.delta" && event.data.item_id === item.item_id ? [event.data.delta] : [],
      ),
  };
  let state: SessionState = initialState;

  function append(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const sequence = state.sequence + 1;
      const event: UniversalEvent = {
        event_id: `evt_${sequence}`,
        sequence,
        time: new Date(sequence).toISOString(),
        session_id: "recording",
        native_session_id: nativeSessionId(),
        source: body.synthetic ? "daemon" : "agent",
        ...body,
      };
      events.push(event);
      state = foldEvent(state, event);
    }
  }

  append([{ type: "session.started", data: {}, synthetic: true }]);
  return {
    events,
    get state(): SessionState {
      return state;
    },
    accept(drafts: readonly Draft[]): void {
      for (const draft of drafts) append(normalize(state, memory, draft));
    },
    /** A client sends a message: a turn begins with it, unless one is running. */
    send(text: string): void {
      const number = state.turnCount + 1;
      const data = { phase: "started", turn_id: `turn_${number}`, metadata: { message_id: `msg_${number}` } } as const;
      if (!state.turn) append([{ type: "turn.started", data, synthetic: true }]);
      append(userItem(state, { number, text, attachments: [] }, null));
    },
    /** A client answers what was asked under this id. */
    answer(requestId: string): void {
      const permission = state.permissions.find(({ permission_id }) => permission_id === requestId);
      if (permission) append([permissionResolved(permission, "once")]);
      const question = state.questions.find(({ question_id }) => question_id === requestId);
      if (question) append([questionResolved(question, [])]);
    },
    end(reason: TurnEndReason): void {
      append(endTurn(state, memory, reason));
    },
  };
}

/** The lines of a recording. */
export function readJsonLines(path: string): unknown[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
