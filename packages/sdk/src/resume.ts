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

/** The daemon has another log than the one that was read so far: what was read from that one no longer counts. */
export interface Reset {
  /** `beyond_end`: what was read last is not there. */
  reason: "other_log" | "beyond_end";
  /** The id of the log that is read now. */
  log: string;
}

export interface ResumeOptions {
  signal?: AbortSignal;
  /** Called before each pause; for showing that the connection is lost. */
  onRetry?: (retry: Retry) => void;
  /** Called when the stream begins again with the first event of another log, before that event. */
  onReset?: (reset: Reset) => void;
  /** Called with each response, before its frames. */
  onOpen?: (response: Response) => void;
  /** When to give a silent connection up. */
  silenceMs?: number;
  /** Whether the stream is over when the daemon closes it in order. */
  ends?: boolean;
}

/**
 * Opens the stream after the frame `lastId`, or where the caller wants it to begin. `log` is the log that was read before, for
 * the daemon to compare.
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
