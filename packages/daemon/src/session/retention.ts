/** Applies the retention limits: old sessions are deleted, long ones lose their oldest events. */
import { background } from "@sandbox-agent/agents";
import type { SessionContext } from "./context.ts";
import type { Sessions } from "./sessions.ts";

export interface RetentionOptions {
  /** Sessions without an event for this many days are deleted; null = never. */
  days: number | null;
  /** Events kept per session; null = all. */
  events: number | null;
}

const sweepEveryMs = 60_000;
const dayMs = 86_400_000;
const keyLifetimeMs = dayMs;

/** Sweeps now and every minute. Returns a function that stops it. */
export function startRetention(sessions: Sessions, context: SessionContext, options: RetentionOptions): () => void {
  const run = () => background("apply retention limits", sweep(sessions, context, options));
  const timer = setInterval(run, sweepEveryMs);
  run();
  return () => clearInterval(timer);
}

export async function sweep(sessions: Sessions, context: SessionContext, { days, events }: RetentionOptions) {
  const { log, table } = context;
  // Without the flush, the stored state of an active session would be outdated.
  log.tryFlushAll();
  table.deleteMessagesBefore(Date.now() - keyLifetimeMs);
  await sessions.erase();
  if (days !== null) {
    for (const { id } of table.idleSince(Date.now() - days * dayMs)) await sessions.delete(id);
  }
  if (events !== null) await trim(sessions, context, events);
}

async function trim(sessions: Sessions, { table }: SessionContext, keep: number): Promise<void> {
  for (const { id, number, firstKept } of table.longerThan(keep)) {
    sessions.forgetBefore({ id, number }, firstKept);
    while (table.deleteEventsBefore(number, firstKept)) await Bun.sleep(0);
    table.deleteCommitsBefore(number, firstKept);
  }
}
