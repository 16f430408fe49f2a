/** What every session shares. */
import type { EventLog } from "../log/event-log.ts";
import type { History } from "../log/history.ts";
import type { SessionTable } from "../log/session-table.ts";

export interface SessionContext {
  log: EventLog;
  history: History;
  table: SessionTable;
  /** A turn without any event for this long is ended; 0 = never. */
  turnStallMs: number;
  /** Where repositories with skills are checked out. */
  skillsDir: string;
  /** Where files are kept that came with messages. */
  attachmentsDir: string;
}
