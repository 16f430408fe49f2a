/** Waiting for a session to reach a condition. */
import { hasRequests, isQuiet, type SessionState, type WaitCondition } from "@sandbox-agent/schema";
import type { EventLog } from "../store/event-log.ts";
import type { Session } from "./session.ts";

const holds: Record<WaitCondition, (state: SessionState) => boolean> = {
  idle: isQuiet,
  request: hasRequests,
  ended: (state) => state.ended !== null,
};

/** The first of the conditions that holds, now or later; null when the time is up or the signal aborts. */
export function waitFor(
  session: Session,
  log: EventLog,
  conditions: readonly WaitCondition[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WaitCondition | null> {
  const reached = () => conditions.find((condition) => holds[condition](session.state)) ?? null;
  const now = reached();
  if (now || timeoutMs === 0) return Promise.resolve(now);

  return new Promise((resolve) => {
    const finish = (result: WaitCondition | null) => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    const onAbort = () => finish(null);
    const timer = setTimeout(() => finish(null), timeoutMs);
    const unsubscribe = log.feed.subscribe(session.number, {
      deliver: () => {
        const condition = reached();
        if (condition) finish(condition);
      },
      end: () => finish(null),
    });
    signal.addEventListener("abort", onAbort);
  });
}
