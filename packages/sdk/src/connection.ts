/**
 * One connection of a stream, watched: the daemon sends something every 10 seconds, so one that stays silent for long is
 * dead, even if nobody has closed it (a laptop that slept, a network that changed).
 */
import { joinSignals } from "./wait.ts";

export interface Connection {
  signal: AbortSignal;
  /** Something was heard. */
  touch(): void;
  /** Ends the watch, not the connection. */
  close(): void;
}

/** A signal for one connection: aborted with the caller's, or when the connection has gone silent. */
export function watchConnection(outer: AbortSignal | undefined, silenceMs = 45_000): Connection {
  const silence = new AbortController();
  const { signal, release } = joinSignals(outer, silence.signal);
  let heard = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heard > silenceMs) silence.abort(new Error(`nothing was heard for ${silenceMs} ms`));
  }, silenceMs / 4);
  return {
    signal,
    touch: () => void (heard = Date.now()),
    close: () => {
      clearInterval(watch);
      release();
    },
  };
}
