/** Fan-out of committed batches: the same bytes for every reader of a session, made once. */
import type { SessionInfo } from "@sandbox-agent/schema";
import { eventFrame, type LogRecord } from "./encode.ts";

export interface CommittedBatch {
  sessionNumber: number;
  position: number;
  first: number;
  last: number;
  records: readonly LogRecord[];
  /** Frames for readers of this session, whose ids are sequences. */
  sessionFrames(includeRaw: boolean): Uint8Array;
  /** Frames for readers of all sessions, whose ids are position.sequence. */
  globalFrames(includeRaw: boolean): Uint8Array;
}

export interface FeedListener {
  deliver(batch: CommittedBatch): void;
  /** The session was deleted; nothing follows. */
  end?(): void;
  /** For listeners to every session: this one was deleted. */
  deleted?(session: SessionInfo): void;
  /** Something for those who look just now; it is not stored. */
  notice?(data: string): void;
}

export class Feed {
  /** A listener that fails harms neither the log nor the other listeners. */
  onFailure: (error: unknown) => void = () => {};
  readonly #sessions = new Map<number, Set<FeedListener>>();
  readonly #all = new Set<FeedListener>();

  /** Calls the listener for each batch of one session, or of every session with `null`. Returns the way to stop it. */
  subscribe(sessionNumber: number | null, listener: FeedListener): () => void {
    const listeners = sessionNumber === null ? this.#all : this.#listenersOf(sessionNumber);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      const isUnused = sessionNumber !== null && listeners.size === 0;
      if (isUnused && this.#sessions.get(sessionNumber) === listeners) this.#sessions.delete(sessionNumber);
    };
  }

  /** Ends the feed of a session that was deleted. */
  end(sessionNumber: number, session: SessionInfo): void {
    for (const listener of this.#sessions.get(sessionNumber) ?? []) listener.end?.();
    for (const listener of this.#all) listener.deleted?.(session);
  }

  /** Tells the readers of all sessions something that is not stored. */
  announce(data: unknown): void {
    const text = JSON.stringify(data);
    for (const listener of this.#all) listener.notice?.(text);
  }

  publish(batch: CommittedBatch): void {
    for (const listener of this.#sessions.get(batch.sessionNumber) ?? []) this.#deliver(listener, batch);
    for (const listener of this.#all) this.#deliver(listener, batch);
  }

  #deliver(listener: FeedListener, batch: CommittedBatch): void {
    try {
      listener.deliver(batch);
    } catch (error) {
      this.onFailure(error);
    }
  }

  #listenersOf(sessionNumber: number): Set<FeedListener> {
    const existing = this.#sessions.get(sessionNumber);
    if (existing) return existing;
    const created = new Set<FeedListener>();
    this.#sessions.set(sessionNumber, created);
    return created;
  }
}

export function committedBatch(sessionNumber: number, position: number, records: readonly LogRecord[]): CommittedBatch {
  const [first, last] = sequenceRange(records);
  return {
    sessionNumber,
    position,
    first,
    last,
    records,
    sessionFrames: onceEach((includeRaw) => records.map((record) => eventFrame(record.sequence, record, includeRaw))),
    globalFrames: onceEach((includeRaw) =>
      records.map((record) => eventFrame(`${position}.${record.sequence}`, record, includeRaw)),
    ),
  };
}

/** First and last sequence of a batch, which is never empty. */
export function sequenceRange(records: readonly LogRecord[]): [number, number] {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) throw new Error("a batch has at least one record");
  return [first.sequence, last.sequence];
}

const utf8 = new TextEncoder();

function onceEach(frames: (includeRaw: boolean) => string[]): (includeRaw: boolean) => Uint8Array {
  const made: { plain?: Uint8Array; raw?: Uint8Array } = {};
  return (includeRaw) => {
    const kind = includeRaw ? "raw" : "plain";
    made[kind] ??= utf8.encode(frames(includeRaw).join(""));
    return made[kind];
  };
}
