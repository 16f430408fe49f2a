/** Any agent that speaks ACP (the Agent Client Protocol) over stdio: one process per session. */
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { createCatalog } from "./catalog.ts";
import { agentModels, agentModes } from "./config.ts";
import { defaultLimits, type Limits } from "./connection.ts";
import { describe } from "./description.ts";
import { hasKey } from "./launch.ts";
import type { AcpProfile } from "./profile.ts";
import { openAcpSession } from "./session.ts";

export function createAcpAgent(
  profile: AcpProfile,
  environment: AgentEnvironment,
  limits: Limits = defaultLimits,
): Agent {
  const { id } = profile;
  const catalog = createCatalog(profile, environment, limits);

  return {
    ...describe(profile),

    inspect: async () => presenceOf(id, environment, hasKey(profile, environment)),

    async install(options) {
      await environment.installer.install(id, options);
      catalog.invalidate();
    },

    modes: async () => agentModes(await catalog.get()),
    models: async () => agentModels(await catalog.get()),

    async open(spec, sink) {
      const { model } = await catalog.get();
      return openAcpSession(spec, sink, { profile, environment, limits, defaultModel: model?.current ?? null });
    },
  };
}
