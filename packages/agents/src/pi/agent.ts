/** Pi: one process in RPC mode per session. Our own extension adds permissions, questions and plans. */
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { createCatalog } from "./catalog.ts";
import { machineKeys } from "./credential.ts";
import { pi } from "./description.ts";
import { hasLogins } from "./home.ts";
import { agentModes } from "./modes.ts";
import { openPiSession } from "./session.ts";

export function createPiAgent(environment: AgentEnvironment): Agent {
  const catalog = createCatalog(environment);

  return {
    ...pi,

    async inspect() {
      const hasKeys = Object.keys(machineKeys(environment)).length > 0;
      return presenceOf("pi", environment, hasKeys || hasLogins(environment.env));
    },

    async install(options) {
      await environment.installer.install("pi", options);
      catalog.invalidate();
    },

    modes: async () => agentModes,
    models: () => catalog.get(),
    open: (spec, sink) => openPiSession(spec, sink, environment),
  };
}
