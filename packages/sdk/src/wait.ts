/** Waiting: growing pauses with jitter, and sleep that a signal cuts short. */
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
