/** Waiting: growing pauses with jitter, sleep that a signal cuts short, and two signals as one. */
const firstPauseMs = 100;
const longestPauseMs = 5000;

/** The pause before attempt number `attempt` (from 1): doubling, and spread so that clients do not return all at once. */
export function pauseBefore(attempt: number): number {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return longest * (0.5 + Math.random() / 2);
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
  /** To be called when nothing waits any more: the signals it came from may live much longer. */
  release(): void;
}

/** Aborted with the first of them. */
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
