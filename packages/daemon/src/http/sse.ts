/**
 * Event streams. A reader is either live, and gets the same bytes as all other live readers, or catching up, and reads
 * pages from the log. There is no queue per reader: one that cannot keep up falls back to the log, so it loses nothing
 * and costs nothing.
 */

/** A source of frames with a position in it. */
export interface FrameSource<Cursor> {
  /** The next frames after a position, or null at the end of the log. */
  page(after: Cursor): { text: string; next: Cursor; last?: boolean } | null;
  subscribe(reader: FrameReader<Cursor>): () => void;
}

export interface FrameReader<Cursor> {
  /** A batch was committed. */
  deliver(batch: LiveFrames<Cursor>): void;
  /** Nothing can follow any more. */
  end(): void;
  /** Data for those who are live; it is not in the log and has no id. */
  notice(data: string): void;
}

export interface LiveFrames<Cursor> {
  /** Whether these frames are the next after a position. */
  follows(cursor: Cursor): boolean;
  /** Taken once by each reader whom they follow; there may be none for it. */
  take(): { frames: Uint8Array | string; last?: boolean };
  end: Cursor;
}

interface Reader {
  ping(): void;
  /** Closes once everything in the log has been written. */
  finish(): void;
  close(): void;
}

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** Proxies hang up on what is silent for longer. */
export const keepAliveMs = 10_000;

/** All open event streams: kept alive together, closed together. */
export class EventStreams {
  readonly #readers = new Set<Reader>();
  readonly #timer: Timer;

  constructor(everyMs = keepAliveMs) {
    this.#timer = setInterval(() => {
      for (const reader of this.#readers) reader.ping();
    }, everyMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#readers.size;
  }

  /** Streams everything after `start`, past and live. */
  open<Cursor>(
    request: Request,
    source: FrameSource<Cursor>,
    start: Cursor,
    headers: Record<string, string> = {},
  ): Response {
    const body = new ReadableStream({
      type: "direct",
      pull: (controller) =>
        new Promise<void>((resolve) => {
          const reader = readInto(controller, source, start, () => {
            this.#readers.delete(reader);
            resolve();
          });
          this.#readers.add(reader);
          request.signal.addEventListener("abort", () => reader.close());
          if (request.signal.aborted) reader.close();
        }),
    });
    return new Response(body, { headers: { ...eventStreamHeaders, ...headers } });
  }

  /** Closes every stream at the end of the log; those that do not get there in time, where they are. */
  async closeAll(graceMs = 1000): Promise<void> {
    clearInterval(this.#timer);
    for (const reader of [...this.#readers]) reader.finish();
    const deadline = performance.now() + graceMs;
    while (this.#readers.size > 0 && performance.now() < deadline) await Bun.sleep(5);
    for (const reader of [...this.#readers]) reader.close();
  }
}

function readInto<Cursor>(
  controller: ReadableStreamDirectController,
  source: FrameSource<Cursor>,
  start: Cursor,
  onClose: () => void,
): Reader {
  let cursor = start;
  let live = false;
  let closed = false;
  let finishing = false;

  /** Writes; the promise, if any, resolves when the reader has taken enough to go on. */
  function write(frames: string | Uint8Array): Promise<unknown> | null {
    const written: unknown = controller.write(frames);
    controller.flush();
    return written instanceof Promise ? written : null;
  }

  async function catchUp(): Promise<void> {
    while (!closed) {
      const page = source.page(cursor);
      // Nothing can be committed between this page and the next line, so no event falls between log and live.
      if (!page) {
        live = true;
        return finishing ? close() : undefined;
      }
      cursor = page.next;
      if (page.text !== "") await (write(page.text) ?? nextTick());
      if (page.last) return close();
    }
  }

  function close(): void {
    if (closed) return;
    closed = true;
    unsubscribe();
    controller.close();
    onClose();
  }

  function deliver(batch: LiveFrames<Cursor>): void {
    if (!live || closed) return;
    if (!batch.follows(cursor)) {
      live = false;
      void catchUp().catch(close);
      return;
    }
    cursor = batch.end;
    const { frames, last } = batch.take();
    const drained = frames.length > 0 ? write(frames) : null;
    if (last) return close();
    if (!drained) return;
    live = false;
    void drained.then(catchUp).catch(close);
  }

  const notice = (data: string) => {
    if (live && !closed) write(`data: ${data}\n\n`);
  };
  const unsubscribe = source.subscribe({ deliver, end: close, notice });

  write(": connected\n\n");
  // Not at once: it may find the end already, and by then the caller must know this reader.
  queueMicrotask(() => void catchUp().catch(close));
  return {
    ping: () => {
      if (live && !closed) write(": keep-alive\n\n");
    },
    finish: () => {
      finishing = true;
      if (live) close();
    },
    close,
  };
}

/** Lets other work through between pages. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
