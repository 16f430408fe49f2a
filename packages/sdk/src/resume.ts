/**
 * A stream that goes on through broken connections and restarts of the daemon. Each new connection begins after the last
 * frame that was handed out, so no frame is missed and none comes twice.
 */
import { SandboxAgentError } from "./error.ts";
import { type Frame, readFrames } from "./sse.ts";
import { pauseBefore, sleep } from "./wait.ts";

export interface Retry {
  /** How often in a row it has failed. */
  attempt: number;
  pauseMs: number;
  /** null when the daemon closed the stream in order. */
  cause: unknown;
}

export interface ResumeOptions {
  signal?: AbortSignal;
  /** Called before each pause; for showing that the connection is lost. */
  onRetry?: (retry: Retry) => void;
  /** The daemon sends something every 10 seconds. After this long without, the connection counts as dead. */
  silenceMs?: number;
}

/** Opens the stream after the frame `lastId`, or where the caller wants it to begin. */
export type OpenStream = (lastId: string | null, signal: AbortSignal) => Promise<Response>;

export async function* resumeFrames(open: OpenStream, options: ResumeOptions = {}): AsyncGenerator<Frame> {
  const { signal, onRetry, silenceMs = 45_000 } = options;
  let lastId: string | null = null;
  let attempt = 0;
  for (;;) {
    const connection = connect(signal, silenceMs);
    let cause: unknown = null;
    try {
      const response = await open(lastId, connection.signal);
      lastId ??= response.headers.get("last-event-id");
      for await (const frame of readFrames(response, connection.touch)) {
        attempt = 0;
        if (frame.id !== "") lastId = frame.id;
        yield frame;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof SandboxAgentError && !error.transient) throw error;
      cause = error;
    } finally {
      connection.close();
    }
    attempt += 1;
    const pauseMs = pauseBefore(attempt);
    onRetry?.({ attempt, pauseMs, cause });
    await sleep(pauseMs, signal);
  }
}

/** A signal for one connection: aborted with the caller's, or when the connection has gone silent. */
function connect(outer: AbortSignal | undefined, silenceMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });

  let heard = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heard > silenceMs) controller.abort(new Error(`nothing was heard for ${silenceMs} ms`));
  }, silenceMs / 4);
  return {
    signal: controller.signal,
    touch: () => void (heard = Date.now()),
    close: () => {
      clearInterval(watch);
      outer?.removeEventListener("abort", abort);
    },
  };
}
