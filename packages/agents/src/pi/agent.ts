/** Pi: one process in RPC mode per session. Permissions, questions and plans come from an extension of ours. */
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { createCatalog } from "./catalog.ts";
import { machineKeys } from "./credential.ts";
import { pi } from "./description.ts";
import { hasLogins } from "./home.ts";
import { agentModes } from "./modes.ts";
import { openPiSession } from "./session.ts";

export function createPiAgent(environment: AgentEnvironment): Agent {
  const { installer } = environment;
  const catalog = createCatalog(environment);

  return {
    ...pi,

    async inspect() {
      const found = await installer.find("pi");
      const hasKeys = Object.keys(machineKeys(environment)).length > 0;
      return {
        installed: found !== null,
        credentialsAvailable: hasKeys || hasLogins(environment.env),
        ...(found && { path: found.path, ...(found.version && { version: found.version }) }),
      };
    },

    async install(options) {
      await installer.install("pi", options);
      catalog.forget();
    },

    modes: async () => agentModes,
    models: () => catalog.get(),
    open: (spec, sink) => openPiSession(spec, sink, environment),
  };
}
