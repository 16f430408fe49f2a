/**
 * Requests to stop a server. The first is honoured in order, a second ends the process at once. One Ctrl-C under a
 * package manager arrives twice, from the terminal and from the package manager, so what follows at once is not counted.
 */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const sameRequestMs = 500;

export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const request = () => {
      first ??= performance.now();
      if (performance.now() - first > sameRequestMs) process.exit(130);
      resolve();
    };
    for (const signal of signals) process.on(signal, request);
  });
}

/** What comes in is of no interest, only that nothing can come any more. */
export function standardInputClosed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .on("end", resolve)
      .on("close", resolve)
      .on("error", () => resolve());
    process.stdin.resume();
  });
}
