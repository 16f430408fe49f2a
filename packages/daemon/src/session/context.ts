/** What all sessions share. */
import type { Workspaces } from "../changes/workspaces.ts";
import type { DirectoryConfig } from "../config/directory-config.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import type { EventLog } from "../store/event-log.ts";
import type { History } from "../store/history.ts";
import type { SessionTable } from "../store/session-table.ts";
import type { SkillStore } from "./skill-source.ts";

export interface SessionContext {
  log: EventLog;
  history: History;
  table: SessionTable;
  /** A turn without any event for this long is ended; 0 = never. */
  turnStallMs: number;
  skillStore: SkillStore;
  workspaces: Workspaces;
  config: DirectoryConfig;
  /** Where files that were sent with messages are stored. */
  attachmentsDir: string;
  secrets: KnownSecrets;
}
