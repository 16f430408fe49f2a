/** What an agent gets from the daemon it runs in. */
import type { Credentials } from "./credentials/credentials.ts";
import type { Installer } from "./install/installer.ts";
import type { Variables } from "./variables.ts";

export interface AgentEnvironment {
  /** A directory of the daemon's own in which agents may keep homes and configuration. */
  dataDir: string;
  /** The daemon's environment variables. */
  env: Variables;
  /** Variables that agents get although they hold secrets. */
  inherit: readonly string[];
  installer: Installer;
  /** The credentials found on this machine, looked up anew at each call. */
  credentials(): Credentials;
  /** Marks every process of this daemon, so that leftovers can be found. */
  owner: string;
  /** Close an agent process that was idle this long; 0 = never. */
  idleMs: number;
  /** Keeps these values out of events and logs. */
  hide(values: readonly string[]): void;
  log(message: string, fields?: Record<string, unknown>): void;
}
