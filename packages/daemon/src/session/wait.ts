/** Waits for a state of a session: for a condition or the end of a turn. */
import { within } from "@sandbox-agent/agents";
import { hasRequests, isQuiet, type SessionState, type WaitCondition } from "@sandbox-agent/schema";
import type { EventLog } from "../store/event-log.ts";
import type { Session } from "./session.ts";

/** Resolves with the first result of `check`, now or after a commit of the session; null when the session is deleted or the signal aborts. */
export function untilFound<T>(
  log: EventLog,
  sessionNumber: number,
  check: () => T | null,
  signal?: AbortSignal,
): Promise<T | null> {
  const now = check();
  if (now !== null || signal?.aborted) return Promise.resolve(now);
  return new Promise((resolve) => {
    const finish = (found: T | null) => {
      unsubscribe();
      signal?.removeEventListener("abort", onAbort);
      resolve(found);
    };
    const onAbort = () => finish(null);
    const deliver = () => {
      const found = check();
      if (found !== null) finish(found);
    };
    const unsubscribe = log.feed.subscribe(sessionNumber, { deliver, end: onAbort });
    signal?.addEventListener("abort", onAbort);
  });
}

const holds: Record<WaitCondition, (state: SessionState) => boolean> = {
  idle: isQuiet,
  request: hasRequests,
  ended: (state) => state.ended !== null,
};

/** The first of the conditions that holds, now or later; null when the time is up or the signal aborts. */
export async function waitFor(
  session: Session,
  log: EventLog,
  conditions: readonly WaitCondition[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WaitCondition | null> {
  const reached = () => conditions.find((condition) => holds[condition](session.state)) ?? null;
  const timeout = new AbortController();
  const waiting = untilFound(log, session.number, reached, AbortSignal.any([signal, timeout.signal]));
  return (await within(timeoutMs, waiting, () => timeout.abort())) ?? null;
}
