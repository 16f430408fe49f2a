/** Follows a session until its last event, shows the events, and lets the user answer requests. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Remote } from "./remote.ts";
import type { Requests } from "./requests.ts";

export interface FollowOptions {
  /** Events up to this sequence are history. */
  past: number;
  show(event: UniversalEvent): void;
  requests: Requests;
  /** The daemon has another event log; its events follow from the first one. */
  onReset(): void;
  /** All history has been shown. */
  onLive?(): void;
  /** Whether to stop after this event. */
  isLast(event: UniversalEvent): boolean;
  signal: AbortSignal;
}

/** Resolves with the last event, or null when the signal ended it. */
export async function follow(remote: Remote, options: FollowOptions): Promise<UniversalEvent | null> {
  const { past, show, requests, onReset, onLive, isLast, signal } = options;
  let isLive = false;
  function goLive(): void {
    if (isLive) return;
    isLive = true;
    requests.start();
    onLive?.();
  }
  function restart(): void {
    requests.clear();
    onReset();
  }
  if (past === 0) goLive();
  try {
    for await (const event of remote.events(0, signal, restart)) {
      if (signal.aborted) return null;
      show(event);
      requests.onEvent(event);
      if (event.sequence >= past) goLive();
      if (isLive && isLast(event)) return event;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return null;
}
