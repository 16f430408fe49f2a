/** Claude Code: one long-lived stream-json process per session. */
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { createCatalog } from "./catalog.ts";
import { claude } from "./description.ts";
import { modesFrom } from "./modes.ts";
import { openClaudeSession } from "./session.ts";

/** Cloud providers have their own credentials. */
const cloudVariables = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

export function createClaudeAgent(environment: AgentEnvironment): Agent {
  const catalog = createCatalog(environment);

  return {
    ...claude,

    async inspect() {
      const hasCloud = cloudVariables.some((name) => environment.env[name]);
      return presenceOf("claude", environment, hasCloud || environment.credentials().anthropic !== null);
    },

    async install(options) {
      await environment.installer.install("claude", options);
      catalog.invalidate();
    },

    modes: async () => modesFrom((await catalog.get()).agents),
    models: async () => (await catalog.get()).models,
    open: (spec, sink) => openClaudeSession(spec, sink, environment),
  };
}
