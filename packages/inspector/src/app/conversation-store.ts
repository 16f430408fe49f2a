/**
 * A session's conversation for the screen. Events may come by the thousand; readers hear of them once per frame, and of
 * what changes the session itself (turns, settings, requests) a little later and only once for many.
 */
import type { Session, SessionEndedData, TranscriptResponse } from "sandbox-agent";

export interface Conversation extends TranscriptResponse {
  /** Why listening has ended for good, if it has. */
  closed: unknown;
  /** How the session ended the last time; counts while its status is `ended`. */
  ended: SessionEndedData | null;
}

export interface ConversationStore {
  subscribe(listener: () => void): () => void;
  read(): Conversation;
  /** Told when something beyond the text of items has happened. */
  onChange(listener: () => void): () => void;
}

const changePauseMs = 250;

export function followConversation(session: Session): ConversationStore {
  let closed: unknown = null;
  let ended: SessionEndedData | null = null;
  let snapshot = take();
  const readers = new Set<() => void>();

  function take(): Conversation {
    const transcript = session.transcript();
    // The fold changes its lists in place; readers compare them.
    return { ...transcript, items: [...transcript.items], turns: [...transcript.turns], closed, ended };
  }

  let scheduled = false;
  function tellReaders(): void {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      snapshot = take();
      for (const reader of readers) reader();
    });
  }

  return {
    subscribe(listener) {
      readers.add(listener);
      const offEvent = session.on("event", (event) => {
        if (event.type === "session.ended") ended = event.data;
        tellReaders();
      });
      const offReset = session.on("reset", () => {
        ended = null;
        tellReaders();
      });
      const offClose = session.on("close", (error) => {
        closed = error;
        tellReaders();
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
        }, changePauseMs);
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
