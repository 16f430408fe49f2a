/** The options of a daemon. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { IdentityOptions } from "../access/identity-provider.ts";
import type { CorsOptions } from "../http/cors.ts";

export interface DaemonOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  token: string | null;
  /** If `token` is null: use a random token, stored in the data directory. */
  makeToken: boolean;
  dataDir: string;
  /** Keep everything in memory; the data directory is not used. */
  ephemeral: boolean;
  cors: CorsOptions;
  /** Names in the Host header that are served besides `host` and those of this machine. With a token all are. */
  allowHosts: readonly string[];
  /** Requests for files are limited to this directory; null = no limit. */
  fsRoot: string | null;
  retainDays: number | null;
  retainEvents: number | null;
  /** 0 = off. */
  turnStallMs: number;
  /** Agent processes that were idle this long are closed, and resumed when needed; 0 = never. */
  agentIdleMs: number;
  /** ACP servers without readers and requests are closed after this time; 0 = never. */
  acpIdleMs: number;
  /** A file that defines further agents. */
  agentConfig: string | null;
  /** Variables that agents get although they are named like secrets. */
  agentEnv: readonly string[];
  /** Allows agents without a checksum, and downloads over plain http. */
  allowUnverifiedDownloads: boolean;
  /** An identity provider whose tokens are accepted in addition to the daemon's own. */
  identity: IdentityOptions | null;
}

export function defaultDataDir(): string {
  const base = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  return join(base, "sandbox-agent");
}

export const defaultOptions: DaemonOptions = {
  host: "127.0.0.1",
  port: 2468,
  token: null,
  makeToken: false,
  dataDir: defaultDataDir(),
  ephemeral: false,
  cors: { origins: [], methods: [], headers: [], credentials: false },
  allowHosts: [],
  fsRoot: null,
  retainDays: null,
  retainEvents: null,
  turnStallMs: 15 * 60_000,
  agentIdleMs: 10 * 60_000,
  acpIdleMs: 30 * 60_000,
  agentConfig: null,
  agentEnv: [],
  allowUnverifiedDownloads: false,
  identity: null,
};
