/** Event streams: followers of a log that write into the body of a response. */
import { type Follower, follow, type Source } from "../follow/follow.ts";
import type { Connection } from "./idle-timeouts.ts";

/** Frames as they are sent. Bytes are shared by all readers who are live. */
export type Frames = string | Uint8Array;

export type FrameSource<Cursor> = Source<Cursor, Frames>;

type Reader = Pick<Follower<never, Frames>, "notice" | "finish" | "stop">;

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** Whom a stream is for. */
export interface StreamReader {
  /** Aborted when nobody reads it any more. */
  signal: AbortSignal;
  /** Released when the stream has ended by itself. */
  connection: Pick<Connection, "release">;
}

/** Proxies hang up on what is silent for longer. */
export const keepAliveMs = 10_000;

/** All open event streams: kept alive together, closed together. */
export class EventStreams {
  readonly #readers = new Set<Reader>();
  readonly #timer: Timer;

  constructor(everyMs = keepAliveMs) {
    this.#timer = setInterval(() => {
      for (const reader of this.#readers) reader.notice(": keep-alive\n\n");
    }, everyMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#readers.size;
  }

  /** Streams everything after `start`, past and live, and before that the frames of `opening`. */
  open<Cursor>(
    { signal, connection }: StreamReader,
    source: FrameSource<Cursor>,
    start: Cursor,
    headers: Record<string, string> = {},
    opening = "",
  ): Response {
    const body = new ReadableStream({
      type: "direct",
      pull: (controller) =>
        new Promise<void>((resolve) => {
          const write = (frames: Frames): Promise<unknown> | null => {
            const written: unknown = controller.write(frames);
            controller.flush();
            return written instanceof Promise ? written : null;
          };
          const end = () => {
            this.#readers.delete(reader);
            connection.release();
            controller.close();
            resolve();
          };
          write(`: connected\n\n${opening}`);
          const reader = follow(source, start, { write, end });
          this.#readers.add(reader);
          signal.addEventListener("abort", reader.stop);
          if (signal.aborted) reader.stop();
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
    for (const reader of [...this.#readers]) reader.stop();
  }
}
