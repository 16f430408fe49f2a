/** What the daemon provides to agents. */
import type { Credentials } from "./credentials/credentials.ts";
import type { Installer } from "./install/installer.ts";
import type { Variables } from "./variables.ts";

export interface AgentEnvironment {
  /** The daemon's data directory, in which agents may keep home directories and configuration. */
  dataDir: string;
  /** The daemon's environment variables. */
  env: Variables;
  /** Variables that agents get although they hold secrets. */
  inherit: readonly string[];
  installer: Installer;
  /** The credentials found on this machine, looked up on each call. */
  credentials(): Credentials;
  /** Marks every process of this daemon, so that leftovers can be found. */
  owner: string;
  /** Stop an agent process that was idle for this long; 0 = never. */
  idleMs: number;
  /** Keeps these values out of events and logs. */
  hide(values: readonly string[]): void;
  log(message: string, fields?: Record<string, unknown>): void;
}
