/** Fan-out of committed batches. The bytes are encoded once and shared by all readers of a session. */
import type { SessionInfo } from "@sandbox-agent/schema";
import { eventFrame, type LogRecord } from "./encode.ts";
import type { Batch } from "./event-rows.ts";

export interface FeedListener {
  deliver(batch: CommittedBatch): void;
  /** The session was deleted; no more calls follow. */
  end?(): void;
  /** For listeners to every session: this one was deleted. */
  deleted?(session: SessionInfo): void;
  /** A notice for connected readers, which is not stored. */
  notice?(data: string): void;
}

export class Feed {
  /** Called when a listener throws, which affects neither the log nor the other listeners. */
  onFailure: (error: unknown) => void = () => {};
  readonly #sessions = new Map<number, Set<FeedListener>>();
  readonly #all = new Set<FeedListener>();

  /** Calls the listener for each batch of one session, or of all sessions with `null`. Returns a function that unsubscribes. */
  subscribe(sessionNumber: number | null, listener: FeedListener): () => void {
    const listeners = sessionNumber === null ? this.#all : this.#listenersOf(sessionNumber);
    listeners.add(listener);
    return () => {
      // A second call must not remove listeners that were added after the first.
      if (!listeners.delete(listener)) return;
      if (sessionNumber !== null && listeners.size === 0) this.#sessions.delete(sessionNumber);
    };
  }

  /** Ends the feed of a session that was deleted. */
  end(sessionNumber: number, session: SessionInfo): void {
    for (const listener of this.#sessions.get(sessionNumber) ?? []) listener.end?.();
    for (const listener of this.#all) listener.deleted?.(session);
  }

  /** Sends a notice, which is not stored, to the readers of all sessions. */
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

/** A committed batch with its SSE frames. */
export class CommittedBatch implements Batch {
  readonly first: number;
  readonly last: number;
  readonly #frames: Partial<Record<`${"session" | "global"} ${boolean}`, Uint8Array>> = {};

  constructor(
    readonly sessionNumber: number,
    readonly position: number,
    readonly records: readonly LogRecord[],
  ) {
    const [first] = records;
    if (!first) throw new Error("a batch has at least one record");
    this.first = first.sequence;
    this.last = first.sequence + records.length - 1;
  }

  /** Frames for readers of this session, whose ids are sequences. */
  sessionFrames(includeRaw: boolean): Uint8Array {
    return (this.#frames[`session ${includeRaw}` as const] ??= this.#encode("", includeRaw));
  }

  /** Frames for readers of all sessions, whose ids are position.sequence. */
  globalFrames(includeRaw: boolean): Uint8Array {
    return (this.#frames[`global ${includeRaw}` as const] ??= this.#encode(`${this.position}.`, includeRaw));
  }

  #encode(prefix: string, includeRaw: boolean): Uint8Array {
    let frames = "";
    for (const record of this.records) frames += eventFrame(`${prefix}${record.sequence}`, record, includeRaw);
    return utf8.encode(frames);
  }
}

const utf8 = new TextEncoder();
