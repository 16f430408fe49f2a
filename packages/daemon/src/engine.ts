/** The main part of a daemon: agents, sessions, processes, and the API. */
import type { Database } from "bun:sqlite";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type AgentEnvironment,
  type AgentRegistry,
  agentRegistry,
  allowsUnverified,
  background,
  createInstaller,
  credentialValues,
  findCredentials,
  liveRegistry,
  onTaskFailure,
  openAgentCatalog,
  sweepOwned,
  unverifiedVariable,
  within,
} from "@sandbox-agent/agents";
import { AuditLog } from "./access/audit-log.ts";
import type { TokenVerifier } from "./access/authenticate.ts";
import type { IdentityOptions } from "./access/identity-provider.ts";
import { privateFiles } from "./access/private-files.ts";
import { CheckpointTable } from "./changes/checkpoint-table.ts";
import { Workspaces } from "./changes/workspaces.ts";
import { DirectoryConfig } from "./config/directory-config.ts";
import { type DaemonOptions, defaultDataDir } from "./config/options.ts";
import { openRoot } from "./files/root.ts";
import { createApi } from "./http/api.ts";
import type { Answer } from "./http/server.ts";
import { EventStreams } from "./http/sse.ts";
import { type Lazy, lazy } from "./lazy.ts";
import type { Logger } from "./logging/logger.ts";
import { processEnvironment } from "./processes/environment.ts";
import { defaultProcessConfig, Processes } from "./processes/processes.ts";
import type { KnownSecrets } from "./secrets/known-secrets.ts";
import { secretsOfServer } from "./secrets/session-secrets.ts";
import { startRetention } from "./session/retention.ts";
import { Sessions } from "./session/sessions.ts";
import { EventLog } from "./store/event-log.ts";
import { History } from "./store/history.ts";
import { restrictTree } from "./store/restrict-tree.ts";
import { SessionTable } from "./store/session-table.ts";
import { AgentCommands } from "./terminals/agent-commands.ts";
import { Terminals } from "./terminals/terminals.ts";
import { Watchdog } from "./watchdog.ts";

export interface Engine {
  answer: Answer;
  audit: AuditLog;
  /** The number of sessions that the last run left unfinished. */
  recovered: number;
  /** Ends running turns and agents, and closes streams. */
  stop(): Promise<void>;
  /** Closes the log. No request may follow. */
  close(): void;
}

export interface EngineParts {
  options: DaemonOptions;
  /** The directory for everything except the log. */
  workDir: string;
  /** Paths in it that were accessible to other users before this start. */
  opened: readonly string[];
  /** Marks every process of this daemon. */
  owner: string;
  logger: Logger;
  secrets: KnownSecrets;
  database: Database;
  createAgents: ((environment: AgentEnvironment) => AgentRegistry) | undefined;
}

export async function startEngine({
  options,
  workDir,
  opened,
  owner,
  logger,
  secrets,
  database,
  createAgents = agentRegistry,
}: EngineParts): Promise<Engine> {
  const { dataDir, ephemeral, turnStallMs, retainDays, retainEvents } = options;
  const root = openRoot(options.fsRoot);
  const { env } = process;
  const installEnv = options.allowUnverifiedDownloads ? { ...env, [unverifiedVariable]: "1" } : env;
  const catalog = openAgentCatalog({
    directory: ephemeral ? null : dataDir,
    configFile: options.agentConfig,
    env: installEnv,
  });
  const search = { env, home: env.HOME || homedir(), oauth: true };
  secrets.keep(credentialValues(search));
  const environment: AgentEnvironment = {
    dataDir: join(workDir, "agents"),
    env,
    installer: createInstaller({ directory: join(dataDir, "bin"), env: installEnv, definitions: catalog }),
    credentials: () => findCredentials(search),
    inherit: options.agentEnv,
    owner,
    idleMs: options.agentIdleMs,
    hide: (values) => secrets.add(values),
    log: (message, fields) => logger.info(message, fields),
  };
  const agents = liveRegistry(createAgents(environment), catalog, environment);
  const stopReporting = onTaskFailure((failure) => logger.error("a background task failed", { ...failure }));
  const log = new EventLog(database);
  log.feed.onFailure = (error) => logger.error("a reader failed", { error });
  const onLogFailure = (id: string, error: unknown) =>
    logger.error("output of a process or terminal could not be stored", { id, error });
  const config = new DirectoryConfig(database);
  for (const entry of config.list("mcp")) secrets.keep(secretsOfServer(entry.config, env));
  const shared = {
    log,
    history: new History(database, log.recent),
    table: new SessionTable(database),
    turnStallMs,
    skillStore: { directory: join(workDir, "skills"), allowPlain: allowsUnverified(installEnv) },
    workspaces: new Workspaces(new CheckpointTable(database), {
      shadows: join(workDir, "checkpoints"),
      dataDir: workDir,
      idleMs: options.agentIdleMs,
    }),
    config,
    attachmentsDir: join(workDir, "attachments"),
    secrets,
  };
  environment.installer.onProgress((progress) => {
    log.feed.announce({ type: "install.progress", time: new Date().toISOString(), data: progress });
  });
  const sessions = new Sessions(agents, shared);
  const terminals = new Terminals({
    directory: join(workDir, "terminals"),
    env: processEnvironment(env, {}, owner),
    maxLogBytes: defaultProcessConfig.maxLogBytesPerProcess,
    onLogFailure,
    commands: new AgentCommands(sessions, shared),
  });
  const processes = new Processes({
    directory: join(workDir, "processes"),
    secrets,
    env,
    owner,
    terminals,
    announce: (event) => log.feed.announce(event),
    onLogFailure,
  });
  const streams = new EventStreams();
  const acp = lazy(async () => {
    const { AcpServers } = await import("./compat/acp/servers.ts");
    const onFailure = (error: unknown) => logger.error("an ACP request failed", { error });
    return new AcpServers({ ...shared, agents, sessions, onFailure }, options.acpIdleMs);
  });

  const hideToken = (token: string) => secrets.add([token]);
  const tokens = lazy(async () => (await import("./access/signed-tokens.ts")).SignedTokens.open(database, hideToken));
  const audit = new AuditLog(
    ephemeral ? null : join(dataDir, "audit"),
    (error) => logger.error("the audit log could not be written", { error }),
    (text) => secrets.redact(text),
  );
  const identity = identityProvider(options.identity);
  // Clients repeat these requests, so each reason is logged once.
  const unusable = new Set<string>();
  const onUnusableRepository = (directory: string, reason: string) => {
    if (unusable.size < maxUnusable && !unusable.has(reason))
      logger.warn("a repository cannot be used and is ignored", { directory, reason });
    if (unusable.size < maxUnusable) unusable.add(reason);
  };

  shared.workspaces.sweepAll().catch((error) => logger.warn("old checkpoints could not be deleted", { error }));
  background("make the data directory private", restrictTree(opened));
  const recovered = await sessions.recover();
  const stopCollecting = collectWhenQuiet(log, database);
  const stopRetention = startRetention(sessions, shared, { days: retainDays, events: retainEvents });

  return {
    answer: createApi(
      {
        ...shared,
        agents,
        agentCatalog: catalog,
        sessions,
        streams,
        root,
        privateFiles: privateFiles([...(ephemeral ? [] : [dataDir]), defaultDataDir()]),
        onUnusableRepository,
        processes,
        terminals,
        acp,
        tokens,
        identity,
        audit,
      },
      options,
    ),
    audit,
    recovered,
    async stop() {
      stopRetention();
      stopCollecting();
      await Promise.all([sessions.stop(), processes.stop()]);
      terminals.stop();
      await (await acp.made)?.stop();
      await shared.workspaces.close();
      await Promise.all([streams.closeAll(), within(agentGraceMs, agents.close())]);
      sweepOwned(owner);
    },
    close() {
      log.close();
      audit.close();
      stopReporting();
    },
  };
}

function identityProvider(options: IdentityOptions | null): Lazy<TokenVerifier> | null {
  if (!options) return null;
  return lazy(async () => new (await import("./access/identity-provider.ts")).IdentityProvider(options));
}

/** The number of reasons that are remembered. */
const maxUnusable = 1000;
const agentGraceMs = 1500;
const quietMs = 2000;

/** Returns the memory of a burst to the system after a while without events. */
function collectWhenQuiet(log: EventLog, database: Database): () => void {
  const watchdog = new Watchdog(quietMs, () => {
    database.run("PRAGMA shrink_memory");
    Bun.gc(true);
  });
  const stopListening = log.feed.subscribe(null, { deliver: () => watchdog.start() });
  return () => {
    stopListening();
    watchdog.stop();
  };
}
