/** The event streams of a server: one per directory, open while a session in it listens. */
import { within } from "../tasks/within.ts";
import { createRouter, readEvents, type SessionListener } from "./events.ts";
import type { ServerAddress } from "./http.ts";

export type Streams = ReturnType<typeof createStreams>;

export interface Listening {
  /** Resolves when the stream is open; from then on no event is missed. */
  opened: Promise<void>;
  stop(): void;
}

interface Stream {
  router: ReturnType<typeof createRouter>;
  reading: AbortController;
  opened: Promise<void>;
  listeners: number;
}

/** When the process exits, its streams fail first. The exit is reported by the process, with its cause. */
const exitGraceMs = 1000;

/** `exited` settles when the process of the server has ended. */
export function createStreams(address: ServerAddress, secrets: readonly string[], exited: Promise<unknown>) {
  const streams = new Map<string, Stream>();

  function follow(directory: string): Stream {
    const router = createRouter();
    const reading = new AbortController();
    async function broken(reason: string): Promise<void> {
      const hasExited = await within(
        exitGraceMs,
        exited.then(() => true),
      );
      if (!hasExited && !reading.signal.aborted) await end(directory, stream, reason);
    }
    const opened = readEvents(address, directory, secrets, reading.signal, router.route, broken);
    const stream: Stream = { router, reading, opened, listeners: 0 };
    streams.set(directory, stream);
    return stream;
  }

  function forget(directory: string, stream: Stream): void {
    stream.reading.abort();
    if (streams.get(directory) === stream) streams.delete(directory);
  }

  async function end(directory: string, stream: Stream, reason: string): Promise<void> {
    forget(directory, stream);
    await stream.router.lost(reason);
  }

  return {
    /** Delivers the events of a session and of its subagents. */
    listen(directory: string, session: string, listener: SessionListener): Listening {
      const stream = streams.get(directory) ?? follow(directory);
      const leave = stream.router.listen(session, listener);
      stream.listeners += 1;
      let over = false;
      function stop(): void {
        if (over) return;
        over = true;
        leave();
        stream.listeners -= 1;
        if (stream.listeners === 0) forget(directory, stream);
      }
      const opened = stream.opened.catch((error: unknown) => {
        stop();
        throw error;
      });
      return { opened, stop };
    },

    close(): void {
      for (const [directory, stream] of streams) forget(directory, stream);
    },
  };
}
