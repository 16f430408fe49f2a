/** Claude Code: one long-lived stream-json process per session. */
import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { createCatalog } from "./catalog.ts";
import { modesFrom } from "./modes.ts";
import { openClaudeSession } from "./session.ts";

/** Cloud providers bring credentials of their own. */
const cloudVariables = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

/** Where it looks for skills in a working directory. */
export const skillFolder = ".claude/skills";

export function createClaudeAgent(environment: AgentEnvironment): Agent {
  const { installer } = environment;
  const catalog = createCatalog(environment);

  return {
    id: "claude",
    name: "Claude Code",
    capabilities: capabilities(...capabilityNames.filter((name) => name !== "sharedProcess")),
    permissionModes: ["default", "plan", "bypass", "acceptEdits"],

    async inspect() {
      const found = await installer.find("claude");
      const hasCloud = cloudVariables.some((name) => environment.env[name]);
      return {
        installed: found !== null,
        credentialsAvailable: hasCloud || environment.credentials().anthropic !== null,
        ...(found && { path: found.path, ...(found.version && { version: found.version }) }),
      };
    },

    async install(options) {
      await installer.install("claude", options);
      catalog.forget();
    },

    modes: async () => modesFrom((await catalog.get()).agents),
    models: async () => (await catalog.get()).models,
    open: (spec, sink) => openClaudeSession(spec, sink, environment),
  };
}
