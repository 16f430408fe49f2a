/**
 * The translator of one conversation: native events in, drafts out. It knows nothing of processes, requests or time; the
 * one thing it cannot decide, how long to wait for stragglers, it leaves to its owner (`settling`).
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
import { createSpeech } from "./speech.ts";
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
  /** The agent has said that it is at work. An idle before that belongs to the turn before. */
  busy: boolean;
  aborted: boolean;
  error: ErrorData | null;
  usage: Usage;
}

export type Translator = ReturnType<typeof createTranslator>;

export function createTranslator(nativeSessionId: string) {
  const speech = createSpeech();
  const tools = createTools();
  const requests = createRequests();
  const messages = new Map<string, KnownMessage>();
  /** Parents of subagent sessions, each the child of another or of the conversation itself. */
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
        return messageUpdated(event.properties.info);
      case "message.part.updated":
        return partUpdated(event.properties.part);
      case "message.part.delta": {
        const { messageID, partID, field, delta } = event.properties;
        return field === "text" && isSpeaking(messageID) ? speech.delta(partID, delta) : [];
      }
      case "session.status":
        return statusChanged(event.properties.sessionID, event.properties.status);
      case "session.idle":
        return event.properties.sessionID === nativeSessionId ? idle() : [];
      case "session.error":
        return event.properties.error
          ? failed(event.properties.sessionID ?? nativeSessionId, event.properties.error)
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
        return requests.permission(event.properties, parentItem(event.properties.sessionID));
      case "question.asked": {
        const { tool } = event.properties;
        return requests.question(event.properties, tool ? tools.nameOf(tool.callID) : null);
      }
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        return requests.settled(event.properties.requestID);
    }
  }

  /** Results of tools do not always repeat the diff that their request showed. */
  function rememberDiff({ tool, metadata }: PermissionAsked): void {
    const diff = stringAt(metadata, "diff");
    if (tool && diff) tools.rememberDiff(tool.callID, diff);
  }

  /** The permission an event asks for, for an owner that decides it without asking anybody. */
  function permissionIn(payload: unknown): PermissionAsked | null {
    const reading = readEvent(payload);
    if (reading.kind !== "event" || reading.event.type !== "permission.asked") return null;
    rememberDiff(reading.event.properties);
    return reading.event.properties;
  }

  // ── Messages ────────────────────────────────────────────────────────────────────────────────────────────────────

  function messageUpdated(info: Message): Draft[] {
    const { id, role, sessionID } = info;
    const completed = role === "assistant" && Boolean(info.time.completed);
    const known = messages.get(id);
    messages.set(id, { role, session: sessionID, completed, turn: known?.turn ?? turnCount });
    if (role === "user" || sessionID !== nativeSessionId || !turn) return [];
    const error = info.error ? failed(sessionID, info.error) : [];
    const cut = info.finish === "length" && completed;
    return cut ? [...error, ...notice({ id: `${id}:length` }, "Output limit reached")] : error;
  }

  function partUpdated(part: Part): Draft[] {
    if (part.type === "unknown") return unknownPart(part.native);
    const parent = parentItem(part.sessionID);
    const identity = { id: part.id, parent };
    if (part.type === "compaction") return notice(identity, "Compacting the context");
    if (!isSpeaking(part.messageID)) return [];
    switch (part.type) {
      case "text":
      case "reasoning":
        return speech.part(part, parent);
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

  /** Whether a message is the model's and of this turn. Of a finished turn, only stragglers can come. */
  function isSpeaking(messageId: string): boolean {
    const message = messages.get(messageId);
    return turn !== null && (!message || (message.role === "assistant" && message.turn === turn.number));
  }

  /** The item that the items of this native session belong to: the call that started the subagent. */
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

  function statusChanged(session: string, status: SessionStatus): Draft[] {
    if (status.type === "retry") {
      const detail = `attempt ${status.attempt} failed: ${status.message}`;
      const retry = { attempt: status.attempt, next: new Date(status.next).toISOString() };
      const retrying = notice(noticeIn("retry", session), "Retrying", detail, [{ type: "json", json: { retry } }]);
      return [...speech.cutOff(session), ...retrying];
    }
    if (status.type !== "busy" || session !== nativeSessionId) return [];
    const isOwn = turn === null;
    const current = turn ?? startTurn();
    current.busy = true;
    settling = false;
    return isOwn ? [{ type: "turn.started" }] : [];
  }

  function idle(): Draft[] {
    if (!turn?.busy) return [];
    // After an abort or an error the last words come behind the first idle, and a second idle behind them.
    settling = [...messages.values()].some(
      ({ role, session, completed, turn: of }) =>
        role === "assistant" && session === nativeSessionId && !completed && of === turn?.number,
    );
    return settling ? [] : end();
  }

  function failed(session: string, error: NativeError): Draft[] {
    if (session !== nativeSessionId) {
      if (isAbort(error)) return [];
      return notice(noticeIn("subagent-error", session), "Subagent failed", errorData(error).message);
    }
    if (isAbort(error)) {
      if (turn) turn.aborted = true;
      return [];
    }
    // The same failure is told up to three times: by the session, by the message, and once more with a stack trace.
    if (turn ? turn.error : failedBefore) return [];
    const data = errorData(error);
    failedBefore = true;
    if (turn) {
      turn.error = data;
      // A prompt that is refused as a whole never gets busy.
      if (!turn.busy) settling = true;
    }
    return [{ type: "error", error: data }];
  }

  /** The turn is over, whatever is still open. */
  function end(reason?: "failed" | "aborted"): Draft[] {
    if (!turn) return [];
    const { aborted, error, usage } = turn;
    turn = null;
    settling = false;
    failedBefore = error !== null;
    speech.clear();
    tools.clear();
    const why = reason ?? (aborted ? "aborted" : error ? "failed" : undefined);
    return [...requests.withdrawAll(), { type: "turn.ended", ...(why && { reason: why }), usage }];
  }

  /** Ends the turn without waiting for stragglers. */
  function settle(): Draft[] {
    return end().map((draft) => ({ ...draft, synthetic: true }));
  }

  /** The turn cannot go on, for a reason the agent did not tell. */
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
    /** The agent says it is done, but may have something to add; `settle` when that takes too long. */
    get settling() {
      return settling;
    },
    /** The agent is at work on the turn. */
    get busy() {
      return turn?.busy ?? false;
    },
  };
}
