/**
 * Stop signals of a server. The first one stops it gracefully, a second one ends the process at once. Under a package manager one
 * Ctrl-C arrives twice, from the terminal and from the package manager, so an immediate repeat is ignored.
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

/** Resolves when standard input is closed; its content is ignored. */
export function standardInputClosed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .on("end", resolve)
      .on("close", resolve)
      .on("error", () => resolve());
    process.stdin.resume();
  });
}
