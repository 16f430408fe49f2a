/**
 * Starts and stops a daemon. A start takes the lock, opens the log, ends processes that the last run left behind, and listens.
 * The rest, the engine, is loaded right after that.
 */
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEnvironment, AgentRegistry } from "@sandbox-agent/agents";
import { sweepOwned } from "@sandbox-agent/agents/process-tree";
import { secretsIn } from "@sandbox-agent/agents/secret-variables";
import { keptToken, randomToken } from "./access/root-token.ts";
import { type DaemonOptions, defaultDataDir } from "./config/options.ts";
import { ownerOf } from "./config/owner.ts";
import { createServer, type Refusal } from "./http/server.ts";
import { lazy } from "./lazy.ts";
import { createLogger, type Logger } from "./logging/logger.ts";
import { KnownSecrets } from "./secrets/known-secrets.ts";
import { openDatabase } from "./store/database.ts";
import { lockDirectory } from "./store/lock.ts";
import { protectDirectory } from "./store/private-directory.ts";
import { hasRecent } from "./store/recent.ts";
import { hasUnfinished } from "./store/session-table.ts";
import { version } from "./version.ts";

/** The engine is loaded after this delay, because loading blocks the event loop and a first health request should not wait. */
const loadAfterMs = 20;

export interface Daemon {
  url: string;
  /** Ends running turns, closes streams and flushes the log. */
  stop(): Promise<void>;
}

export interface StartedDaemon extends Daemon {
  logger: Logger;
  /** null = no token is required. */
  token: string | null;
  /** A warning for the user who started the daemon. */
  warning: string | null;
}

export async function startDaemon(
  given: DaemonOptions,
  createAgents?: (environment: AgentEnvironment) => AgentRegistry,
): Promise<StartedDaemon> {
  const { dataDir, ephemeral } = given;
  // An ephemeral daemon does not use the data directory, but needs a place for unpacked files.
  const workDir = ephemeral ? join(tmpdir(), `sandbox-agent-${crypto.randomUUID()}`) : dataDir;
  const isOwn = dataDir === defaultDataDir();
  const directory = ephemeral ? null : usable(dataDir, () => protectDirectory(dataDir, isOwn));
  await checkDefinitions(given);
  const lock = ephemeral ? null : lockDirectory(join(dataDir, "lock"), dataDir);
  const token = given.token ?? (given.makeToken ? usable(dataDir, () => makeToken(given)) : null);
  const options = { ...given, token };
  const secrets = new KnownSecrets([...(token ? [token] : []), ...secretsIn(process.env)]);
  const logger = createLogger({
    environment: process.env,
    directory: ephemeral ? null : join(dataDir, "logs"),
    secrets,
  });
  if (directory?.warning) logger.warn(directory.warning);
  const owner = ownerOf(options);
  const databaseFile = join(dataDir, "events.db");
  // On the first run there is nothing to clean up.
  const isFirstRun = ephemeral || !existsSync(databaseFile);
  if (!isFirstRun) {
    const swept = sweepOwned(owner);
    if (swept > 0) logger.warn("ended agent processes that the last run left behind", { count: swept });
  }
  const database = ephemeral ? openDatabase(":memory:") : usable(databaseFile, () => openDatabase(databaseFile));
  const engine = lazy(async () => {
    const { startEngine } = await import("./engine.ts");
    const opened = directory?.opened ?? [];
    return startEngine({ options, workDir, opened, owner, logger, secrets, database, createAgents });
  });
  const recovered = isNeededAtOnce() ? (await engine.get()).recovered : 0;
  const server = listen(
    () =>
      createServer(async (request, server) => (await engine.get()).answer(request, server), {
        ...options,
        logger,
        secrets,
        onRefusal,
      }),
    options,
  );
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${server.port}`;
  logger.info("started", { version, url, recovered, dataDir: ephemeral ? null : dataDir });
  const onLoadFailure = (error: unknown) =>
    logger.error("the engine could not be started; the next request tries again", { error });
  const loading = setTimeout(() => engine.get().catch(onLoadFailure), loadAfterMs);

  /** Whether the engine has work, or checks that may fail, before the first request. */
  function isNeededAtOnce(): boolean {
    const { fsRoot, retainDays, retainEvents } = options;
    const hasRetention = retainDays !== null || retainEvents !== null;
    return hasRetention || fsRoot !== null || hasUnfinished(database) || hasRecent(database);
  }

  /** Requests rejected before the engine is loaded are only in the log. */
  function onRefusal(refusal: Refusal): void {
    engine.made?.then(({ audit }) => audit.record(refusal), onLoadFailure);
  }

  return {
    url,
    logger,
    token,
    warning: directory?.warning ?? null,
    async stop() {
      clearTimeout(loading);
      const started = await engine.made?.catch(() => null);
      await started?.stop();
      await server.stop(true);
      logger.info("stopped");
      if (started) started.close();
      else database.close();
      lock?.release();
      if (ephemeral) rmSync(workDir, { recursive: true, force: true });
    },
  };
}

function makeToken({ ephemeral, dataDir }: DaemonOptions): string {
  return ephemeral ? randomToken() : keptToken(dataDir);
}

/** Reports mistakes in files that define agents at the start, not with the first session. */
async function checkDefinitions({ agentConfig, ephemeral, dataDir }: DaemonOptions): Promise<void> {
  const directory = ephemeral ? null : dataDir;
  const isDefined = directory !== null && existsSync(join(directory, "agents.json"));
  if (!isDefined && agentConfig === null) return;
  const { readDefinitionFiles } = await import("@sandbox-agent/agents/definition-file");
  readDefinitionFiles(directory, agentConfig);
}

/** System errors have a code and get a remedy here. Other errors already name one. */
function usable<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new Error(`${path} cannot be used: ${cause.message}; fix the cause or choose another --data-dir`, { cause });
  }
}

function listen<T>(start: () => T, { host, port }: DaemonOptions): T {
  try {
    return start();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause && cause.syscall === "listen" && "code" in cause)) throw cause;
    if (cause.code === "EADDRINUSE")
      throw new Error(`port ${port} on ${host} is already in use; stop the other program or choose another --port`, {
        cause,
      });
    if (cause.code === "EACCES")
      throw new Error(`not allowed to listen on port ${port}; choose one above 1023`, { cause });
    // For a name that cannot be resolved, the code is unrelated and therefore not shown.
    throw new Error(`cannot listen on ${host}; choose an address of this machine as --host`, { cause });
  }
}
