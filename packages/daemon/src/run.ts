/** Runs the daemon in a process until it is asked to stop or crashes. */
import type { StartedDaemon } from "./daemon.ts";

export type End = "stopped" | "crashed";

/** A crashed daemon may be unable to stop. */
const stopLimitMs = 10_000;

/**
 * Unhandled failures are logged without secrets. A rejected promise without a handler concerns one piece of work, so the daemon
 * continues. An uncaught exception may leave any state inconsistent, so the daemon stops gracefully and the next start recovers
 * from the log.
 */
export async function runDaemon({ logger, stop }: StartedDaemon, stopRequested: Promise<void>): Promise<End> {
  process.on("unhandledRejection", (error) => logger.error("unhandled promise rejection", { error }));
  const crashed = new Promise<End>((resolve) => {
    process.on("uncaughtException", (error) => {
      logger.error("uncaught exception; the daemon stops", { error });
      resolve("crashed");
    });
  });
  const end = await Promise.race([stopRequested.then((): End => "stopped"), crashed]);
  if (end === "crashed") setTimeout(() => process.exit(1), stopLimitMs).unref();
  await stop();
  return end;
}
