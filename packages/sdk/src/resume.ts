/**
 * A stream that survives broken connections and restarts of the daemon. Each new connection starts after the last frame that was
 * yielded, so no frame is lost or repeated.
 */
import { watchConnection } from "./connection.ts";
import { SandboxAgentError } from "./error.ts";
import { type Frame, readFrames } from "./sse.ts";
import { pauseBefore, sleep } from "./wait.ts";

export interface Retry {
  /** Number of failures in a row. */
  attempt: number;
  pauseMs: number;
  /** Null if the daemon closed the stream without an error. */
  cause: unknown;
}

/** The daemon has another log than the one that was read so far. Events of the old log are obsolete. */
export interface Reset {
  /** `beyond_end`: the log ends before the last event that was read. */
  reason: "other_log" | "beyond_end";
  /** The id of the new log. */
  log: string;
}

export interface ResumeOptions {
  signal?: AbortSignal;
  /** Called when the connection is lost, before each pause. */
  onRetry?: (retry: Retry) => void;
  /** Called when the stream restarts with the first event of another log, before that event. */
  onReset?: (reset: Reset) => void;
  /** Called with each response, before its frames. */
  onOpen?: (response: Response) => void;
  /** After how long without data a connection is considered dead. */
  silenceMs?: number;
  /** Whether the stream ends when the daemon closes it without an error. */
  ends?: boolean;
}

/**
 * Opens the stream after the frame `lastId`, or at the caller's start position. `log` is the id of the log that was read before; the
 * daemon compares it with its own.
 */
export type OpenStream = (lastId: string | null, signal: AbortSignal, log: string | null) => Promise<Response>;

export const logHeader = "sandbox-agent-log";

export async function* resumeFrames(open: OpenStream, options: ResumeOptions = {}): AsyncGenerator<Frame> {
  const { signal, onRetry, onReset, onOpen, silenceMs, ends = false } = options;
  let lastId: string | null = null;
  let log: string | null = null;
  let attempt = 0;
  for (;;) {
    const connection = watchConnection(signal, silenceMs);
    let cause: unknown = null;
    try {
      const response = await open(lastId, connection.signal, log);
      log = response.headers.get(logHeader) ?? log;
      onOpen?.(response);
      lastId ??= response.headers.get("last-event-id");
      for await (const frame of readFrames(response, connection.touch)) {
        attempt = 0;
        if (frame.id !== "") lastId = frame.id;
        if (frame.event === "reset") onReset?.(JSON.parse(frame.data));
        else yield frame;
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
