/** The daemon as the one purpose of a process: it runs until it is asked to stop, or until something breaks in it. */
import type { StartedDaemon } from "./daemon.ts";

export type End = "stopped" | "crashed";

/** A daemon that broke may also be unable to stop. */
const stopLimitMs = 10_000;

/**
 * Failures that no code has handled are logged like all others, without secrets. A rejected promise that nobody awaited
 * concerns one piece of work: the daemon goes on. An exception outside of every request and promise may have left anything half
 * done: the daemon stops in order, and the next start recovers from the log.
 */
export async function runDaemon({ logger, stop }: StartedDaemon, stopRequested: Promise<void>): Promise<End> {
  process.on("unhandledRejection", (error) => logger.error("a rejected promise was not handled", { error }));
  const crashed = new Promise<End>((resolve) => {
    process.on("uncaughtException", (error) => {
      logger.error("an exception was not caught; the daemon stops", { error });
      resolve("crashed");
    });
  });
  const end = await Promise.race([stopRequested.then((): End => "stopped"), crashed]);
  if (end === "crashed") setTimeout(() => process.exit(1), stopLimitMs).unref();
  await stop();
  return end;
}
