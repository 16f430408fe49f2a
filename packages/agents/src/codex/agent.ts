/** The Codex agent: sessions are threads on a shared app-server. */
import type { Agent, SessionSpec } from "../agent.ts";
import { cachedLoad } from "../cached-load.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { LeasedServers } from "../process/leased-server.ts";
import { codex } from "./description.ts";
import { type Launch, noOverrides, planLaunch } from "./launch.ts";
import { type Catalog, fallback, readCatalog } from "./models.ts";
import { type CodexServer, startServer } from "./server.ts";
import { openCodexSession } from "./session.ts";

const id = "codex";

/** A session is often created right after the catalog was read, and can then use the same server. */
const catalogLingerMs = 3000;

export function createCodexAgent(environment: AgentEnvironment): Agent & { close(): Promise<void> } {
  const { installer, idleMs, log } = environment;
  /** Starts are serialized, because two first starts in one home fail on its databases. */
  let lastStart: Promise<unknown> = Promise.resolve();
  const servers = new LeasedServers<Launch, CodexServer>({
    agent: id,
    idleMs,
    log,
    start(launch, onExit) {
      const started = lastStart.then(() => startServer(launch, { log, onExit }));
      lastStart = started.catch(() => {});
      return started;
    },
  });
  const catalog = cachedLoad(read, (error) => {
    log("codex did not report its modes and models; using the built-in list", { error: String(error) });
    return fallback;
  });

  async function read(): Promise<Catalog> {
    const installed = await installer.find(id);
    if (!installed) throw new Error("codex is not installed");
    const lease = servers.lease(planLaunch(noOverrides, installed, environment));
    lease.setBusy(true);
    try {
      return await readCatalog(await lease.server());
    } finally {
      await lease.release(catalogLingerMs);
    }
  }

  return {
    ...codex,
    async inspect() {
      const presence = await presenceOf(id, environment, environment.credentials().openai !== null);
      return { ...presence, serverStatus: servers.status() };
    },
    async install(options) {
      await installer.install(id, options);
      catalog.invalidate();
    },
    close: () => servers.close(),
    modes: async () => (await catalog.get()).modes,
    models: async () => (await catalog.get()).models,
    async open(spec: SessionSpec, sink) {
      const installed = await installer.require(id, spec.agentVersion);
      return openCodexSession(spec, sink, planLaunch(spec, installed, environment), servers);
    },
  };
}
