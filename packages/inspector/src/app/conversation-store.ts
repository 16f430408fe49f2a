/**
 * A session's conversation as a React store. Readers are notified at most once per frame, because thousands of events may arrive
 * together. Changes of the session itself (turns, settings, requests) are debounced.
 */
import type { Session, SessionEndedData, TranscriptResponse } from "sandbox-agent";

export interface Conversation extends TranscriptResponse {
  /** Why the stream has ended for good; null while it is open. */
  closed: unknown;
  /** The last end of the session. Only valid while its status is `ended`. */
  ended: SessionEndedData | null;
}

export interface ConversationStore {
  subscribe(listener: () => void): () => void;
  read(): Conversation;
  /** Called after events other than items: turns, settings, requests. */
  onChange(listener: () => void): () => void;
}

const changeDelayMs = 250;

export function followConversation(session: Session): ConversationStore {
  let closed: unknown = null;
  let ended: SessionEndedData | null = null;
  let snapshot = takeSnapshot();
  const readers = new Set<() => void>();

  function takeSnapshot(): Conversation {
    const transcript = session.transcript();
    // The fold changes its lists in place. React compares references, so copy them.
    return { ...transcript, items: [...transcript.items], turns: [...transcript.turns], closed, ended };
  }

  let scheduled = false;
  function notifyReaders(): void {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      snapshot = takeSnapshot();
      for (const reader of readers) reader();
    });
  }

  return {
    subscribe(listener) {
      readers.add(listener);
      const offEvent = session.on("event", (event) => {
        if (event.type === "session.ended") ended = event.data;
        notifyReaders();
      });
      const offReset = session.on("reset", () => {
        ended = null;
        notifyReaders();
      });
      const offClose = session.on("close", (error) => {
        closed = error;
        notifyReaders();
      });
      return () => {
        readers.delete(listener);
        offEvent();
        offReset();
        offClose();
      };
    },
    read: () => snapshot,
    onChange(listener) {
      let timer: ReturnType<typeof setTimeout> | null = null;
      const changed = () => {
        timer ??= setTimeout(() => {
          timer = null;
          listener();
        }, changeDelayMs);
      };
      const offEvent = session.on("event", ({ type }) => {
        if (!type.startsWith("item.")) changed();
      });
      const offReset = session.on("reset", changed);
      return () => {
        offEvent();
        offReset();
        if (timer !== null) clearTimeout(timer);
      };
    },
  };
}
