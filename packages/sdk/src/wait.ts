/** Exponential backoff with jitter, abortable sleep, and joined signals. */
const firstPauseMs = 100;
const maxPauseMs = 5000;

/** The pause before attempt `attempt` (from 1). It doubles, with jitter, so that clients do not reconnect at the same time. */
export function pauseBefore(attempt: number): number {
  const upper = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return upper * (0.5 + Math.random() / 2);
}

/** Rejects with the signal's reason when it is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export interface JoinedSignal {
  signal: AbortSignal;
  /** Removes the listeners from the joined signals, which may live much longer. */
  release(): void;
}

/** Aborted when the first of the signals is. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const links = signals.flatMap((signal) => {
    if (!signal) return [];
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    return [() => signal.removeEventListener("abort", abort)];
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const unlink of links) unlink();
    },
  };
}
