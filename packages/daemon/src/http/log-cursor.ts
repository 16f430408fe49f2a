/**
 * Detects cursors of another log: the same address may now serve another data directory, or the same id may name another
 * session. Such readers get a notice and start again at the first event.
 */
import { ProblemError } from "@sandbox-agent/schema";
import type { EventLog } from "../store/event-log.ts";

/** The response header with the id of the log that a response was read from. Clients send it back as the query `log`. */
export const logHeader = "sandbox-agent-log";

/** The id of a session's log: another session under the same id has another one. */
export function sessionLogId(log: EventLog, sessionNumber: number): string {
  return `${log.id}-${sessionNumber}`;
}

export interface CursorCheck {
  /** The log that is read. */
  log: string;
  /** The log that the client's cursor is from, if the client sends it. */
  known: string | undefined;
  /** Whether the client has seen anything. */
  isAtStart: boolean;
  isBeyondEnd: boolean;
}

export interface Reset {
  reason: "other_log" | "beyond_end";
  log: string;
}

/** Null for a cursor of this log. */
export function resetFor({ log, known, isAtStart, isBeyondEnd }: CursorCheck): Reset | null {
  if (isAtStart) return null;
  if (known !== undefined && known !== log) return { reason: "other_log", log };
  return isBeyondEnd ? { reason: "beyond_end", log } : null;
}

/** Its id resets clients that only keep the last id. */
export function resetFrame(reset: Reset): string {
  return `event: reset\nid: 0\ndata: ${JSON.stringify(reset)}\n\n`;
}

/** Where a client that lost its stream resumes; 0 for one without events. */
export function lastSequenceSeen(request: Request): number {
  const id = request.headers.get("last-event-id");
  if (!id) return 0;
  if (!/^\d{1,15}$/.test(id)) throw new ProblemError("invalid_request", `Last-Event-ID "${id}" is not a sequence`);
  return Number(id);
}
