/**
 * Sessions whose files were taken back to before a message. It lasts until somebody undoes it or speaks again: the
 * conversation itself is never cut, neither in the log nor in the agent's memory.
 */
import type { SessionInfo } from "@sandbox-agent/schema";
import { sessionView } from "./session-view.ts";
import type { SessionShown } from "./wire.ts";

export interface Revert {
  /** The first message that does not count. */
  messageId: string;
  /** The checkpoint of how the files were before. */
  undo: string;
  /** Stops watching for the end of it. */
  stop(): void;
}

export type Reverts = Map<string, Revert>;

/** The session as it is shown while that lasts. */
export function shownSession(reverts: Reverts, info: SessionInfo): SessionShown {
  const revert = reverts.get(info.sessionId);
  const shown = sessionView(info);
  return revert ? { ...shown, revert: { messageID: revert.messageId, snapshot: revert.undo } } : shown;
}
