/**
 * OpenCode: one `opencode serve` for all sessions that need nothing special, sessions in their own directories, one
 * event stream.
 */
import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { credentialsByProvider } from "../credentials/credentials.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { LeasedServers } from "../process/leased-server.ts";
import { createCatalogue } from "./catalogue.ts";
import { opencode } from "./description.ts";
import { guardShell } from "./guard.ts";
import { type Launch, type LaunchWishes, launchFor, noWishes } from "./launch.ts";
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

  async function launch(wishes: LaunchWishes, version: string | null, models: readonly string[]): Promise<Launch> {
    const installed = await installer.require(id, version);
    const shell = guardShell(join(directory, "shell"), wishes.env.SHELL ?? environment.env.SHELL);
    return launchFor(installed, environment, wishes, { shell, models });
  }

  const catalogue = createCatalogue({ servers, launch: () => launch(noWishes, null, []), directory, log });

  return {
    ...opencode,
    async inspect() {
      const hasKeys = Object.keys(credentialsByProvider(environment.credentials())).length > 0;
      return { ...(await presenceOf(id, environment, hasKeys)), serverStatus: servers.status() };
    },
    async install(options) {
      await installer.install(id, options);
    },
    modes: catalogue.modes,
    models: catalogue.models,
    open: (spec, sink) =>
      openSession(spec, sink, { servers, launch: (models) => launch(spec, spec.agentVersion, models) }),
    close: () => servers.close(),
  };
}
