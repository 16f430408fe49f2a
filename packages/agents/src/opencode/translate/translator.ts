/**
 * Translates the native events of one conversation to drafts. Pure: no process, no requests, no clock. How long to wait for
 * late events at the end of a turn is decided by its owner (`settling`).
 */
import type { ErrorData, Usage } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { message, unknown, whole } from "../../item-drafts.ts";
import { stringAt } from "../../json.ts";
import type { Message, NativeEvent, Part, SessionStatus } from "../generated/api.ts";
import { errorData, isAbort, type NativeError } from "./errors.ts";
import { notice } from "./items.ts";
import { readEvent, sessionOf } from "./native.ts";
import { createRequests, type PermissionAsked } from "./requests.ts";
import { createTextParts } from "./text-parts.ts";
import { createTools } from "./tools.ts";
import { withStep } from "./usage.ts";

interface KnownMessage {
  role: "user" | "assistant";
  session: string;
  completed: boolean;
  turn: number;
}

interface TurnState {
  number: number;
  /** OpenCode has reported `busy`. An `idle` before that belongs to the previous turn. */
  busy: boolean;
  aborted: boolean;
  error: ErrorData | null;
  usage: Usage;
}

export type Translator = ReturnType<typeof createTranslator>;

export function createTranslator(nativeSessionId: string) {
  const textParts = createTextParts();
  const tools = createTools();
  const requests = createRequests();
  const messages = new Map<string, KnownMessage>();
  /** Parent of each subagent's session: another subagent's or the conversation's. */
  const parents = new Map<string, string>();
  let turn: TurnState | null = null;
  let turnCount = 0;
  let failedBefore = false;
  let notices = 0;
  let settling = false;
  let contextWindow: number | null = null;

  /** A message is about to be sent. */
  function begin(window: number | null): void {
    contextWindow = window;
    startTurn();
  }

  function startTurn(): TurnState {
    turnCount += 1;
    settling = false;
    for (const [id, message] of messages) if (message.turn < turnCount - 1) messages.delete(id);
    turn = { number: turnCount, busy: false, aborted: false, error: null, usage: {} };
    return turn;
  }

  function translate(payload: unknown): Draft[] {
    const reading = readEvent(payload);
    switch (reading.kind) {
      case "ignored":
        return [];
      case "event":
        return eventDrafts(reading.event).map((draft) => ({ ...draft, raw: payload }));
      case "unknown": {
        const parent = parentItem(sessionOf(payload) ?? nativeSessionId);
        const item = unknown({ id: noticeId(reading.type), parent }, payload);
        return whole(item).map((draft) => ({ ...draft, raw: payload }));
      }
      case "unparsed": {
        const unparsed = { error: reading.error, location: `opencode.${reading.type}` };
        return [{ type: "agent.unparsed", unparsed, raw: payload }];
      }
    }
  }

  function eventDrafts(event: NativeEvent): Draft[] {
    switch (event.type) {
      case "message.updated":
        return onMessage(event.properties.info);
      case "message.part.updated":
        return onPart(event.properties.part);
      case "message.part.delta": {
        const { messageID, partID, field, delta } = event.properties;
        return field === "text" && isOfTurn(messageID) ? textParts.delta(partID, delta) : [];
      }
      case "session.status":
        return onStatus(event.properties.sessionID, event.properties.status);
      case "session.idle":
        return event.properties.sessionID === nativeSessionId ? onIdle() : [];
      case "session.error":
        return event.properties.error
          ? onError(event.properties.sessionID ?? nativeSessionId, event.properties.error)
          : [];
      case "session.created": {
        const { id, parentID } = event.properties.info;
        if (parentID) parents.set(id, parentID);
        return [];
      }
      case "session.deleted":
        return event.properties.sessionID === nativeSessionId ? [{ type: "session.ended" }] : [];
      case "session.compacted":
        return notice(noticeIn("compacted", event.properties.sessionID), "Context compacted");
      case "todo.updated": {
        const { sessionID, todos } = event.properties;
        return notice(noticeIn("todo", sessionID), "Todo list", null, [{ type: "json", json: { todos } }]);
      }
      case "permission.asked":
        rememberDiff(event.properties);
        return requests.onPermission(event.properties, parentItem(event.properties.sessionID));
      case "question.asked": {
        const { tool } = event.properties;
        return requests.onQuestion(event.properties, tool ? tools.nameOf(tool.callID) : null);
      }
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        return requests.onSettled(event.properties.requestID);
    }
  }

  /** Results of tools do not always repeat the diff of their permission request. */
  function rememberDiff({ tool, metadata }: PermissionAsked): void {
    const diff = stringAt(metadata, "diff");
    if (tool && diff) tools.rememberDiff(tool.callID, diff);
  }

  /** The permission request of an event, for an owner that decides it without the user. */
  function permissionIn(payload: unknown): PermissionAsked | null {
    const reading = readEvent(payload);
    if (reading.kind !== "event" || reading.event.type !== "permission.asked") return null;
    rememberDiff(reading.event.properties);
    return reading.event.properties;
  }

  // ── Messages ────────────────────────────────────────────────────────────────────────────────────────────────────

  function onMessage(info: Message): Draft[] {
    const { id, role, sessionID } = info;
    const completed = role === "assistant" && Boolean(info.time.completed);
    const known = messages.get(id);
    messages.set(id, { role, session: sessionID, completed, turn: known?.turn ?? turnCount });
    if (role === "user" || sessionID !== nativeSessionId || !turn) return [];
    const error = info.error ? onError(sessionID, info.error) : [];
    const cut = info.finish === "length" && completed;
    return cut ? [...error, ...notice({ id: `${id}:length` }, "Output limit reached")] : error;
  }

  function onPart(part: Part): Draft[] {
    if (part.type === "unknown") return unknownPart(part.native);
    const parent = parentItem(part.sessionID);
    const identity = { id: part.id, parent };
    if (part.type === "compaction") return notice(identity, "Compacting the context");
    if (!isOfTurn(part.messageID)) return [];
    switch (part.type) {
      case "text":
      case "reasoning":
        return textParts.update(part, parent);
      case "tool":
        return tools.part(part, parent);
      case "step-finish":
        if (turn) turn.usage = withStep(turn.usage, part, part.sessionID === nativeSessionId, contextWindow);
        return [];
      case "patch": {
        const files = part.files.map((path) => ({ type: "file_ref", path, action: "patch" }) as const);
        return notice(identity, "Files changed", part.files.join(", "), files);
      }
      case "file":
        return whole(message(identity, [{ type: "file_ref", path: part.url, action: "read" }]));
      case "retry":
        return notice(identity, "Retrying", part.error.data.message);
      default:
        return [];
    }
  }

  function unknownPart(native: Record<string, unknown>): Draft[] {
    const id = stringAt(native, "id") ?? noticeId("part");
    const parent = parentItem(stringAt(native, "sessionID") ?? nativeSessionId);
    return whole(unknown({ id, parent }, native));
  }

  /** Whether a message is the model's and belongs to this turn. Late events of earlier turns are ignored. */
  function isOfTurn(messageId: string): boolean {
    const message = messages.get(messageId);
    return turn !== null && (!message || (message.role === "assistant" && message.turn === turn.number));
  }

  /** The parent of all items of this native session: the call that started the subagent. */
  function parentItem(session: string): string | null {
    if (session === nativeSessionId) return null;
    return tools.starterOf(session, parents.get(session) ?? nativeSessionId);
  }

  function noticeId(name: string): string {
    notices += 1;
    return `${nativeSessionId}:${name}:${turnCount}.${notices}`;
  }

  function noticeIn(name: string, session: string) {
    return { id: noticeId(name), parent: parentItem(session) };
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  function onStatus(session: string, status: SessionStatus): Draft[] {
    if (status.type === "retry") {
      const detail = `attempt ${status.attempt} failed: ${status.message}`;
      const retry = { attempt: status.attempt, next: new Date(status.next).toISOString() };
      const retrying = notice(noticeIn("retry", session), "Retrying", detail, [{ type: "json", json: { retry } }]);
      return [...textParts.interrupt(session), ...retrying];
    }
    if (status.type !== "busy" || session !== nativeSessionId) return [];
    const isOwn = turn === null;
    const current = turn ?? startTurn();
    current.busy = true;
    settling = false;
    return isOwn ? [{ type: "turn.started" }] : [];
  }

  function onIdle(): Draft[] {
    if (!turn?.busy) return [];
    // After an abort or an error, the last events follow the first `idle`, and then a second `idle`.
    settling = [...messages.values()].some(
      ({ role, session, completed, turn: of }) =>
        role === "assistant" && session === nativeSessionId && !completed && of === turn?.number,
    );
    return settling ? [] : end();
  }

  function onError(session: string, error: NativeError): Draft[] {
    if (session !== nativeSessionId) {
      if (isAbort(error)) return [];
      return notice(noticeIn("subagent-error", session), "Subagent failed", errorData(error).message);
    }
    if (isAbort(error)) {
      if (turn) turn.aborted = true;
      return [];
    }
    // OpenCode reports a failure up to three times: for the session, for the message, and again with a stack trace.
    if (turn ? turn.error : failedBefore) return [];
    const data = errorData(error);
    failedBefore = true;
    if (turn) {
      turn.error = data;
      // A prompt that is rejected as a whole never becomes busy.
      if (!turn.busy) settling = true;
    }
    return [{ type: "error", error: data }];
  }

  /** Ends the turn, even if items are still open. */
  function end(reason?: "failed" | "aborted"): Draft[] {
    if (!turn) return [];
    const { aborted, error, usage } = turn;
    turn = null;
    settling = false;
    failedBefore = error !== null;
    textParts.clear();
    tools.clear();
    const why = reason ?? (aborted ? "aborted" : error ? "failed" : undefined);
    return [...requests.withdrawAll(), { type: "turn.ended", ...(why && { reason: why }), usage }];
  }

  /** Ends the turn without waiting for late events. */
  function settle(): Draft[] {
    return end().map((draft) => ({ ...draft, synthetic: true }));
  }

  /** Ends the turn with an error that OpenCode did not report. */
  function fail(error: ErrorData): Draft[] {
    if (!turn) return [];
    const failure: Draft = { type: "error", error };
    return [failure, ...end("failed")].map((draft) => ({ ...draft, synthetic: true }));
  }

  return {
    begin,
    translate,
    permissionIn,
    settle,
    fail,
    requests,
    get running() {
      return turn !== null;
    },
    /** The agent is idle, but its last events are missing; call `settle` if they take too long. */
    get settling() {
      return settling;
    },
    /** The agent is working on the turn. */
    get busy() {
      return turn?.busy ?? false;
    },
  };
}
