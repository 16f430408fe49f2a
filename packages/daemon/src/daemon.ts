/** Starting and stopping a daemon: opens the log, closes what the last run left open, then lets clients in. */
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentEnvironment,
  type AgentRegistry,
  agentRegistry,
  liveRegistry,
  openAgentBook,
  sweepOwned,
} from "@sandbox-agent/agents";
import { CheckpointTable } from "./changes/checkpoint-table.ts";
import { Workspaces } from "./changes/workspaces.ts";
import { agentEnvironment } from "./config/agent-environment.ts";
import { DirectoryConfig } from "./config/directory-config.ts";
import type { DaemonOptions } from "./config/options.ts";
import { openRoot } from "./fs/root.ts";
import { createServer } from "./http/server.ts";
import { EventStreams } from "./http/sse.ts";
import { lazily } from "./lazily.ts";
import { openDatabase } from "./log/database.ts";
import { EventLog } from "./log/event-log.ts";
import { History } from "./log/history.ts";
import { lockDirectory } from "./log/lock.ts";
import { SessionTable } from "./log/session-table.ts";
import { createLogger } from "./logging/logger.ts";
import { processEnvironment } from "./processes/environment.ts";
import { defaultProcessConfig, Processes } from "./processes/processes.ts";
import { startRetention } from "./session/retention.ts";
import { Sessions } from "./session/sessions.ts";
import { Watchdog } from "./session/watchdog.ts";
import { AgentTerminals } from "./terminals/agent-terminals.ts";
import { Terminals } from "./terminals/terminals.ts";
import { version } from "./version.ts";

export interface Daemon {
  url: string;
  /** Ends running turns, closes streams, and leaves the log in order. */
  stop(): Promise<void>;
}

export async function startDaemon(
  options: DaemonOptions,
  createAgents: (environment: AgentEnvironment) => AgentRegistry = agentRegistry,
): Promise<Daemon> {
  const { dataDir, ephemeral, turnStallMs, retainDays, retainEvents, token } = options;
  const root = openRoot(options.fsRoot);
  // An ephemeral daemon leaves the data directory alone, but what it unpacks must lie somewhere.
  const workDir = ephemeral ? join(tmpdir(), `sandbox-agent-${crypto.randomUUID()}`) : dataDir;
  if (!ephemeral) usable(dataDir, () => mkdirSync(dataDir, { recursive: true }));
  const logger = createLogger({
    environment: process.env,
    directory: ephemeral ? null : join(dataDir, "logs"),
    secrets: token ? [token] : [],
  });
  const book = openAgentBook({
    directory: ephemeral ? null : dataDir,
    configFile: options.agentConfig,
    env: process.env,
  });
  const lock = ephemeral ? null : lockDirectory(join(dataDir, "lock"), dataDir);
  const environment = agentEnvironment(options, book, workDir, logger);
  const swept = sweepOwned(environment.owner);
  if (swept > 0) logger.warn("ended agent processes that the last run left behind", { count: swept });
  const agents = liveRegistry(createAgents(environment), book, environment);
  const databaseFile = ephemeral ? ":memory:" : join(dataDir, "events.db");
  const database = usable(databaseFile, () => openDatabase(databaseFile));
  const log = new EventLog(database);
  log.feed.onFailure = (error) => logger.error("a reader failed", { error });
  const onLogFailure = (id: string, error: unknown) =>
    logger.error("output of a process or terminal could not be kept", { id, error });
  const terminals = new Terminals({
    directory: join(workDir, "terminals"),
    env: processEnvironment(process.env, {}, environment.owner),
    maxLogBytes: defaultProcessConfig.maxLogBytesPerProcess,
    onLogFailure,
  });
  const shared = {
    log,
    history: new History(database),
    table: new SessionTable(database),
    turnStallMs,
    skillsDir: join(workDir, "skills"),
    workspaces: new Workspaces(new CheckpointTable(database), {
      shadows: join(workDir, "checkpoints"),
      idleMs: options.agentIdleMs,
    }),
    config: new DirectoryConfig(database),
    commands: new AgentTerminals(terminals),
    attachmentsDir: join(workDir, "attachments"),
  };
  environment.installer.onProgress((progress) => {
    log.feed.announce({ type: "install.progress", time: new Date().toISOString(), data: progress });
  });
  const sessions = new Sessions(agents, shared);
  const processes = new Processes({
    directory: join(workDir, "processes"),
    env: process.env,
    owner: environment.owner,
    terminals,
    announce: (event) => log.feed.announce(event),
    onLogFailure,
  });
  const streams = new EventStreams();
  const acp = lazily(async () => {
    const { AcpServers } = await import("./acp/servers.ts");
    const onFailure = (error: unknown) => logger.error("an ACP request failed", { error });
    return new AcpServers({ ...shared, agents, sessions, onFailure }, options.acpIdleMs);
  });

  shared.workspaces.sweepAll().catch((error) => logger.warn("old checkpoints could not be erased", { error }));
  const recovered = sessions.recover();
  const server = listen(
    () =>
      createServer(
        { ...shared, agents, book, sessions, streams, root, processes, terminals, acp },
        { ...options, logger },
      ),
    options,
  );
  const quiet = collectWhenQuiet(log);
  const stopRetention = startRetention(sessions, shared, { days: retainDays, events: retainEvents });
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${server.port}`;
  logger.info("started", { version, url, recovered, dataDir: ephemeral ? null : dataDir });

  return {
    url,
    async stop() {
      stopRetention();
      quiet.stop();
      await Promise.all([sessions.stop(), processes.stop()]);
      terminals.stop();
      await (await acp.made)?.stop();
      await shared.workspaces.close();
      await Promise.all([streams.closeAll(), Promise.race([agents.close(), Bun.sleep(agentGraceMs)])]);
      sweepOwned(environment.owner);
      await server.stop(true);
      logger.info("stopped");
      log.close();
      lock?.release();
      if (ephemeral) rmSync(workDir, { recursive: true, force: true });
    },
  };
}

const agentGraceMs = 1500;
const quietMs = 2000;

/** Gives the memory of a burst back to the system once nothing has been said for a while. */
function collectWhenQuiet(log: EventLog): Watchdog {
  const watchdog = new Watchdog(quietMs, () => Bun.gc(true));
  log.feed.subscribe(null, { deliver: () => watchdog.touch() });
  return watchdog;
}

/** What the system refuses comes with a code; what we refuse says already what to do. */
function usable<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new Error(`${path} cannot be used: ${cause.message}; mend that or choose another --data-dir`, { cause });
  }
}

function listen<T>(start: () => T, { host, port }: DaemonOptions): T {
  try {
    return start();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause && cause.syscall === "listen" && "code" in cause)) throw cause;
    if (cause.code === "EADDRINUSE")
      throw new Error(`port ${port} on ${host} is taken; stop the other program or choose another --port`, { cause });
    if (cause.code === "EACCES")
      throw new Error(`not allowed to listen on port ${port}; choose one above 1023`, { cause });
    // For a name that means nothing the code is left over from something else, so it is not told.
    throw new Error(`cannot listen on ${host}; choose an address of this machine as --host`, { cause });
  }
}
