/**
 * The fold of a session's events into its state. Pure and bounded: the state holds what is open (turn, items, requests,
 * queue) and totals, never history, so it stays small however long the session gets.
 */
import type { EventData, PermissionData, QuestionData, UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";
import type { QueuedMessage } from "./message.ts";
import { permissionKeys } from "./permission.ts";
import type { PendingRequests, SessionRevert, SessionStatus } from "./session.ts";
import type { Usage } from "./usage.ts";
import { addUsage } from "./usage-total.ts";

export interface SessionSettings {
  agentMode: string;
  permissionMode: string;
  model: string | null;
  variant: string | null;
  title: string | null;
}

export interface OpenItem {
  item: UniversalItem;
  /** Sequence of its item.started; its deltas follow in the log. */
  sequence: number;
  hasDelta: boolean;
}

export interface SessionState {
  sequence: number;
  time: string;
  nativeSessionId: string | null;
  settings: SessionSettings;
  turn: { turnId: string | null; messageId: string | null; firstSequence: number } | null;
  ended: EventData<"session.ended"> | null;
  turnCount: number;
  itemCount: number;
  openItems: Readonly<Record<string, OpenItem>>;
  permissions: readonly PermissionData[];
  questions: readonly QuestionData[];
  /** Sequence of the event of each open request, by request id. */
  requestedAt: Readonly<Record<string, number>>;
  /** Keys of permissions that were answered with `always`. */
  always: readonly string[];
  queue: readonly QueuedMessage[];
  usage: Usage;
  /** The revert that is in effect; null when the files are as the last turn left them. */
  revert: SessionRevert | null;
  /** The session this one was forked from, until the agent has answered once. Until then messages carry the history. */
  pendingForkContext: string | null;
}

export const initialState: SessionState = {
  sequence: 0,
  time: "",
  nativeSessionId: null,
  settings: { agentMode: "build", permissionMode: "default", model: null, variant: null, title: null },
  turn: null,
  ended: null,
  turnCount: 0,
  itemCount: 0,
  openItems: {},
  permissions: [],
  questions: [],
  requestedAt: {},
  always: [],
  queue: [],
  usage: {},
  revert: null,
  pendingForkContext: null,
};

/** A state as it was stored. */
export type StoredState = Partial<SessionState> & {
  /** Former name of `pendingForkContext`. */
  untoldFork?: string | null;
};

/** A stored state of this or an older version: fields that it does not have yet get their initial values. */
export function restoreState({ untoldFork = null, ...stored }: StoredState): SessionState {
  return { ...initialState, pendingForkContext: untoldFork, ...stored };
}

export function statusOf(state: SessionState): SessionStatus {
  if (state.turn) return hasRequests(state) ? "waiting" : "running";
  return state.ended ? "ended" : "idle";
}

export function hasRequests(state: SessionState): boolean {
  return state.permissions.length > 0 || state.questions.length > 0;
}

export function pendingRequests(state: SessionState): PendingRequests {
  return { permissions: [...state.permissions], questions: [...state.questions] };
}

/** Whether no turn is running or queued. */
export function isQuiet(state: SessionState): boolean {
  return !state.turn && state.queue.length === 0;
}

export function foldEvent(state: SessionState, event: UniversalEvent): SessionState {
  const { sequence, time } = event;
  const nativeSessionId = event.native_session_id ?? state.nativeSessionId;
  const changed = change(state, event);
  if (changed === unchanged) return { ...state, sequence, time, nativeSessionId };
  return { ...state, ...changed, sequence, time, nativeSessionId };
}

/** Returned for deltas, which are most events, to avoid an allocation. */
const unchanged: Partial<SessionState> = {};

function change(state: SessionState, event: UniversalEvent): Partial<SessionState> {
  switch (event.type) {
    case "session.started": {
      const { forkedFrom, ...settings } = event.data.metadata ?? {};
      const pendingForkContext = typeof forkedFrom === "string" ? forkedFrom : null;
      return { settings: { ...state.settings, ...settingsIn(settings) }, pendingForkContext };
    }
    case "session.updated":
      return { settings: { ...state.settings, ...settingsIn(event.data.metadata) }, ...revertIn(event.data.metadata) };
    case "session.ended":
      return { ended: event.data, turn: null, openItems: {}, permissions: [], questions: [], requestedAt: {} };
    case "turn.started":
      return startTurn(state, event.data, event.sequence);
    case "turn.ended":
      return { turn: null, usage: addUsage(state.usage, event.data.metadata?.usage ?? {}) };
    case "item.started": {
      const { item } = event.data;
      const open = { item, sequence: event.sequence, hasDelta: false };
      return { itemCount: state.itemCount + 1, openItems: { ...state.openItems, [item.item_id]: open } };
    }
    case "item.delta": {
      const open = state.openItems[event.data.item_id];
      if (!open || open.hasDelta) return unchanged;
      return { openItems: { ...state.openItems, [event.data.item_id]: { ...open, hasDelta: true } } };
    }
    case "item.completed": {
      const { [event.data.item.item_id]: _, ...openItems } = state.openItems;
      // An item outside of a turn is not an answer.
      const isAnswer = event.source === "agent" && state.turn !== null;
      return isAnswer ? { openItems, pendingForkContext: null } : { openItems };
    }
    case "permission.requested":
      return {
        permissions: [...state.permissions, event.data],
        requestedAt: { ...state.requestedAt, [event.data.permission_id]: event.sequence },
      };
    case "permission.resolved":
      return resolvePermission(state, event.data);
    case "question.requested":
      return {
        questions: [...state.questions, event.data],
        requestedAt: { ...state.requestedAt, [event.data.question_id]: event.sequence },
      };
    case "question.resolved": {
      const { [event.data.question_id]: _, ...requestedAt } = state.requestedAt;
      const questions = state.questions.filter((open) => open.question_id !== event.data.question_id);
      return { questions, requestedAt };
    }
    case "message.queued": {
      const { message_id: messageId, ...message } = event.data;
      return { queue: [...state.queue, { messageId, ...message, queuedAt: Date.parse(event.time) }] };
    }
    case "message.cancelled":
      return { queue: withoutMessage(state.queue, event.data.message_id) };
    default:
      return unchanged;
  }
}

function startTurn(state: SessionState, data: EventData<"turn.started">, sequence: number): Partial<SessionState> {
  const messageId = typeof data.metadata?.message_id === "string" ? data.metadata.message_id : null;
  return {
    ended: null,
    revert: null,
    turn: { turnId: data.turn_id ?? null, messageId, firstSequence: sequence },
    turnCount: state.turnCount + 1,
    queue: withoutMessage(state.queue, messageId),
  };
}

function resolvePermission(state: SessionState, data: PermissionData): Partial<SessionState> {
  const permissions = state.permissions.filter((open) => open.permission_id !== data.permission_id);
  const { [data.permission_id]: _, ...requestedAt } = state.requestedAt;
  if (data.metadata?.reply !== "always") return { permissions, requestedAt };
  return { permissions, requestedAt, always: [...new Set([...state.always, ...permissionKeys(data)])] };
}

function withoutMessage(queue: readonly QueuedMessage[], messageId: string | null): readonly QueuedMessage[] {
  return queue.some((message) => message.messageId === messageId)
    ? queue.filter((message) => message.messageId !== messageId)
    : queue;
}

const settingNames = ["agentMode", "permissionMode", "model", "variant", "title"] as const;

function settingsIn(metadata: Record<string, unknown>): Partial<SessionSettings> {
  const named = settingNames.filter((name) => name in metadata);
  return Object.fromEntries(named.map((name) => [name, typeof metadata[name] === "string" ? metadata[name] : null]));
}

function revertIn({ revert }: Record<string, unknown>): Pick<SessionState, "revert"> | null {
  if (revert === null) return { revert: null };
  if (typeof revert !== "object" || !("messageId" in revert && "checkpointId" in revert)) return null;
  return { revert: { messageId: String(revert.messageId), checkpointId: String(revert.checkpointId) } };
}
