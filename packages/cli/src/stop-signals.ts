/**
 * Requests to stop a server. The first is honoured in order, a second of the same origin ends the process at once.
 *
 * Started by the launcher, one Ctrl-C arrives twice: from the terminal as SIGINT and from the launcher as SIGUSR2. The
 * two origins are therefore counted apart.
 */
const origins: readonly NodeJS.Signals[][] = [["SIGINT", "SIGTERM", "SIGHUP"], ["SIGUSR2"]];

export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signals of origins) {
      let count = 0;
      const request = () => {
        count += 1;
        if (count > 1) process.exit(130);
        resolve();
      };
      for (const signal of signals) process.on(signal, request);
    }
  });
}
