/**
 * A stream that goes on through broken connections and restarts of the daemon. Each new connection begins after the last
 * frame that was handed out, so no frame is missed and none comes twice.
 */
import { watchConnection } from "./connection.ts";
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
  /** When to give a silent connection up. */
  silenceMs?: number;
  /** Whether the stream is over when the daemon closes it in order. */
  ends?: boolean;
}

/** Opens the stream after the frame `lastId`, or where the caller wants it to begin. */
export type OpenStream = (lastId: string | null, signal: AbortSignal) => Promise<Response>;

export async function* resumeFrames(open: OpenStream, options: ResumeOptions = {}): AsyncGenerator<Frame> {
  const { signal, onRetry, silenceMs, ends = false } = options;
  let lastId: string | null = null;
  let attempt = 0;
  for (;;) {
    const connection = watchConnection(signal, silenceMs);
    let cause: unknown = null;
    try {
      const response = await open(lastId, connection.signal);
      lastId ??= response.headers.get("last-event-id");
      for await (const frame of readFrames(response, connection.touch)) {
        attempt = 0;
        if (frame.id !== "") lastId = frame.id;
        yield frame;
      }
      if (ends) return;
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
