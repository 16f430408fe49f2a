/** Follows a session until something has happened, shows it, and has the person answer what the agent asks. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Remote } from "./remote.ts";
import type { Requests } from "./requests.ts";

export interface FollowOptions {
  /** Events up to here tell of the past. */
  past: number;
  show(event: UniversalEvent): void;
  requests: Requests;
  /** The daemon has another log of the session, which follows from its first event on. */
  onReset(): void;
  /** The past has been shown. */
  onPresent?(): void;
  /** Whether this is the last event to be waited for. */
  isLast(event: UniversalEvent): boolean;
  signal: AbortSignal;
}

/** Resolves with the last event, or null when the signal ended it. */
export async function follow(remote: Remote, options: FollowOptions): Promise<UniversalEvent | null> {
  const { past, show, requests, onReset, onPresent, isLast, signal } = options;
  let present = false;
  function arrive(): void {
    if (present) return;
    present = true;
    requests.begin();
    onPresent?.();
  }
  function restart(): void {
    requests.forget();
    onReset();
  }
  if (past === 0) arrive();
  try {
    for await (const event of remote.events(0, signal, restart)) {
      if (signal.aborted) return null;
      show(event);
      requests.see(event);
      if (event.sequence >= past) arrive();
      if (present && isLast(event)) return event;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return null;
}
