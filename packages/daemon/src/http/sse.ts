/** Event streams: followers of a log that write into the body of a response. */
import { type Follower, follow, type Source } from "../follow/follow.ts";
import type { Connection } from "./idle-timeouts.ts";

/** Frames as they are sent. Live readers share the bytes. */
export type Frames = string | Uint8Array;

export type FrameSource<Cursor> = Source<Cursor, Frames>;

type Reader = Pick<Follower<never, Frames>, "notice" | "finish" | "stop">;

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** The client of a stream. */
export interface StreamReader {
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Released when the stream ends. */
  connection: Pick<Connection, "release">;
}

/** Proxies close connections that are silent for longer. */
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

  /** Streams the frames of `opening`, then everything after `start`, stored and live. */
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

  /** Closes every stream when it reaches the end of the log, or when the time is up. */
  async closeAll(graceMs = 1000): Promise<void> {
    clearInterval(this.#timer);
    for (const reader of [...this.#readers]) reader.finish();
    const deadline = performance.now() + graceMs;
    while (this.#readers.size > 0 && performance.now() < deadline) await Bun.sleep(5);
    for (const reader of [...this.#readers]) reader.stop();
  }
}
