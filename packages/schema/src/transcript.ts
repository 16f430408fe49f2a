/**
 * The conversation of a session, computed from its events: the items in the order in which they started, turns, errors,
 * resolved requests, and the session's state. The daemon, the SDK and the user interfaces all use this function.
 */
import { extendContent } from "./content-text.ts";
import type { UniversalEvent } from "./event.ts";
import type { UniversalItem } from "./item.ts";
import type {
  ResolvedRequests,
  TranscriptError,
  TranscriptItem,
  TranscriptResponse,
  TranscriptTurn,
} from "./session.ts";
import { foldEvent, initialState, pendingRequests, type SessionState, statusOf } from "./session-state.ts";

export interface Transcript {
  state: SessionState;
  items: TranscriptItem[];
  turns: TranscriptTurn[];
  errors: TranscriptError[];
  resolved: ResolvedRequests;
}

export function emptyTranscript(): Transcript {
  return { state: initialState, items: [], turns: [], errors: [], resolved: { permissions: [], questions: [] } };
}

export function transcriptOf(events: Iterable<UniversalEvent>): Transcript {
  const transcript = emptyTranscript();
  for (const event of events) applyEvent(transcript, event);
  return transcript;
}

/**
 * Applies one event. The transcript is changed in place, so that the cost per event does not grow with its length. A changed
 * item or turn is replaced by a new object, so that a comparison of references detects the change. An event that was already
 * applied (a repeated sequence) changes nothing.
 */
export function applyEvent(transcript: Transcript, event: UniversalEvent): void {
  if (event.sequence <= transcript.state.sequence) return;
  const turnId = transcript.state.turn?.turnId ?? null;
  transcript.state = foldEvent(transcript.state, event);

  switch (event.type) {
    case "turn.started":
      transcript.turns.push({
        turnId: event.data.turn_id ?? null,
        messageId: transcript.state.turn?.messageId ?? null,
        firstSequence: event.sequence,
        lastSequence: null,
        reason: null,
        usage: null,
      });
      return;
    case "turn.ended":
      endTurn(transcript, event.sequence, event.data.metadata ?? {});
      return;
    case "session.ended":
      endTurn(transcript, event.sequence, { reason: event.data.reason });
      return;
    case "item.started":
      transcript.items.push({ ...event.data.item, sequence: event.sequence, turn_id: turnId });
      return;
    case "item.delta":
      replaceItem(transcript, event.data.item_id, (item) => ({
        ...item,
        content: extendContent(item.content, event.data.delta),
      }));
      return;
    case "item.completed":
      completeItem(transcript, event.data.item, event.sequence, turnId);
      return;
    case "permission.resolved":
      transcript.resolved.permissions.push({ ...event.data, sequence: event.sequence });
      return;
    case "question.resolved":
      transcript.resolved.questions.push({ ...event.data, sequence: event.sequence });
      return;
    case "error":
      transcript.errors.push({ ...event.data, sequence: event.sequence, code: event.data.code ?? null });
      return;
  }
}

export function transcriptResponse(sessionId: string, transcript: Transcript): TranscriptResponse {
  const { state, items, turns, errors, resolved } = transcript;
  return {
    sessionId,
    status: statusOf(state),
    lastSequence: state.sequence,
    items,
    turns,
    errors,
    requests: pendingRequests(state),
    resolved,
    queue: [...state.queue],
    usage: state.usage,
  };
}

function endTurn(
  transcript: Transcript,
  sequence: number,
  { reason, usage }: { reason?: string; usage?: TranscriptTurn["usage"] },
): void {
  const turn = transcript.turns.at(-1);
  if (!turn || turn.lastSequence !== null) return;
  transcript.turns[transcript.turns.length - 1] = {
    ...turn,
    lastSequence: sequence,
    reason: reason ?? null,
    usage: usage ?? null,
  };
}

function completeItem(transcript: Transcript, item: UniversalItem, sequence: number, turnId: string | null): void {
  const found = replaceItem(transcript, item.item_id, (started) => ({ ...started, ...item }));
  // Its item.started may have been deleted by `--retain-events`.
  if (!found) transcript.items.push({ ...item, sequence, turn_id: turnId });
}

/** Searches backwards, because open items are near the end. Returns whether the item was found. */
function replaceItem(
  transcript: Transcript,
  itemId: string,
  change: (item: TranscriptItem) => TranscriptItem,
): boolean {
  const index = transcript.items.findLastIndex((item) => item.item_id === itemId);
  const item = transcript.items[index];
  if (!item) return false;
  transcript.items[index] = change(item);
  return true;
}
