/**
 * Detects dead connections of a stream. The daemon sends something every 10 seconds, so a connection without data is dead, even
 * if it was never closed (a laptop that slept, a network that changed).
 */
import { joinSignals } from "./wait.ts";

export interface Connection {
  signal: AbortSignal;
  /** Data has arrived. */
  touch(): void;
  /** Stops watching; does not close the connection. */
  close(): void;
}

/** The signal is aborted with the caller's signal, or after `silenceMs` without data. */
export function watchConnection(outer: AbortSignal | undefined, silenceMs = 45_000): Connection {
  const silence = new AbortController();
  const { signal, release } = joinSignals(outer, silence.signal);
  let lastDataAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - lastDataAt > silenceMs) silence.abort(new Error(`no data for ${silenceMs} ms`));
  }, silenceMs / 4);
  return {
    signal,
    touch: () => void (lastDataAt = Date.now()),
    close: () => {
      clearInterval(watch);
      release();
    },
  };
}
