/**
 * The OpenCode agent: sessions with the same launch configuration share one `opencode serve`. Each directory has its own
 * event stream.
 */
import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { credentialsByProvider } from "../credentials/credentials.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { LeasedServers } from "../process/leased-server.ts";
import { createCatalog } from "./catalog.ts";
import { opencode } from "./description.ts";
import { guardShell } from "./guard.ts";
import { type Launch, type LaunchOverrides, launchFor, noOverrides } from "./launch.ts";
import { freePort, type OpenCodeServer, startServer } from "./server.ts";
import { openSession } from "./session.ts";

const id = "opencode";

export function createOpenCodeAgent(
  environment: AgentEnvironment,
  choosePort = freePort,
): Agent & { close(): Promise<void> } {
  const { installer, idleMs, log } = environment;
  const directory = join(environment.dataDir, id);
  const servers = new LeasedServers<Launch, OpenCodeServer>({
    agent: id,
    idleMs,
    log,
    start: (planned, onExit) => startServer(planned, { directory, choosePort, onExit }),
  });

  async function launch(
    overrides: LaunchOverrides,
    version: string | null,
    models: readonly string[],
  ): Promise<Launch> {
    const installed = await installer.require(id, version);
    const shell = guardShell(join(directory, "shell"), overrides.env.SHELL ?? environment.env.SHELL);
    return launchFor(installed, environment, overrides, { shell, models });
  }

  const catalog = createCatalog({ servers, launch: () => launch(noOverrides, null, []), directory, log });

  return {
    ...opencode,
    async inspect() {
      const hasKeys = Object.keys(credentialsByProvider(environment.credentials())).length > 0;
      return { ...(await presenceOf(id, environment, hasKeys)), serverStatus: servers.status() };
    },
    async install(options) {
      await installer.install(id, options);
    },
    modes: catalog.modes,
    models: catalog.models,
    open: (spec, sink) =>
      openSession(spec, sink, { servers, launch: (models) => launch(spec, spec.agentVersion, models) }),
    close: () => servers.close(),
  };
}
