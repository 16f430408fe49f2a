/** The Codex agent: sessions are threads on an app-server that they share. */
import type { Agent, SessionSpec } from "../agent.ts";
import { askedOnce } from "../asked-once.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { LeasedServers } from "../process/leased-server.ts";
import { codex } from "./description.ts";
import { type Launch, noOverrides, planLaunch } from "./launch.ts";
import { type Catalogue, fallback, readCatalogue } from "./models.ts";
import { type CodexServer, startServer } from "./server.ts";
import { openCodexSession } from "./session.ts";

const id = "codex";

/** A session is often created right after the catalogue was asked for, on the same server. */
const catalogueLingerMs = 3000;

export function createCodexAgent(environment: AgentEnvironment): Agent & { close(): Promise<void> } {
  const { installer, idleMs, log } = environment;
  /** Two first starts in one home at a time would fail on its databases. */
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
  const catalogue = askedOnce(read, (error) => {
    log("codex: modes and models come from the built-in table", { error: String(error) });
    return fallback;
  });

  async function read(): Promise<Catalogue> {
    const installed = await installer.find(id);
    if (!installed) throw new Error("codex is not installed");
    const lease = servers.lease(planLaunch(noOverrides, installed, environment));
    lease.setBusy(true);
    try {
      return await readCatalogue(await lease.server());
    } finally {
      await lease.release(catalogueLingerMs);
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
      catalogue.forget();
    },
    close: () => servers.close(),
    modes: async () => (await catalogue.get()).modes,
    models: async () => (await catalogue.get()).models,
    async open(spec: SessionSpec, sink) {
      const installed = await installer.require(id, spec.agentVersion);
      return openCodexSession(spec, sink, planLaunch(spec, installed, environment), servers);
    },
  };
}
