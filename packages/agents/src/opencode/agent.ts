/**
 * OpenCode: one `opencode serve` for all sessions that need nothing special, sessions in their own directories, one
 * event stream.
 */
import { join } from "node:path";
import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { createCatalogue } from "./catalogue.ts";
import { guardShell } from "./guard.ts";
import { type Launch, type LaunchWishes, launchFor, noWishes } from "./launch.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { openSession } from "./session.ts";

const id = "opencode";

/** Where it looks for skills in a working directory. */
export const skillFolder = ".opencode/skill";

export function createOpenCodeAgent(
  environment: AgentEnvironment,
  { choosePort }: Pick<PoolOptions, "choosePort"> = {},
): Agent & { close(): Promise<void> } {
  const { installer, idleMs, log } = environment;
  const directory = join(environment.dataDir, id);
  const pool = createPool({ directory, idleMs, log, ...(choosePort && { choosePort }) });

  async function launch(wishes: LaunchWishes, version: string | null, models: readonly string[]): Promise<Launch> {
    const installed = await installer.require(id, version);
    const shell = guardShell(join(directory, "shell"), wishes.env.SHELL ?? environment.env.SHELL);
    return launchFor(installed, environment, wishes, { shell, models });
  }

  const catalogue = createCatalogue({ pool, launch: () => launch(noWishes, null, []), directory, log });

  return {
    id,
    name: "OpenCode",
    capabilities: capabilities(...capabilityNames),
    permissionModes: ["default", "plan", "bypass", "acceptEdits"],
    async inspect() {
      const found = await installer.find(id);
      const { anthropic, openai, other } = environment.credentials();
      return {
        installed: found !== null,
        credentialsAvailable: anthropic !== null || openai !== null || Object.keys(other).length > 0,
        ...(found?.version && { version: found.version }),
        ...(found && { path: found.path }),
        serverStatus: pool.status(),
      };
    },
    async install({ reinstall, version }) {
      await installer.install(id, { reinstall, ...(version !== undefined && { version }) });
    },
    modes: catalogue.modes,
    models: catalogue.models,
    open: (spec, sink) =>
      openSession(spec, sink, { pool, launch: (models) => launch(spec, spec.agentVersion, models) }),
    close: pool.close,
  };
}
