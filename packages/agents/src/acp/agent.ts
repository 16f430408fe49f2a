/** Any agent that speaks the Agent Client Protocol over stdio: one process per session. */
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import { presenceOf } from "../presence.ts";
import { createCatalogue } from "./catalogue.ts";
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
  const catalogue = createCatalogue(profile, environment, limits);

  return {
    ...describe(profile),

    inspect: async () => presenceOf(id, environment, hasKey(profile, environment)),

    async install(options) {
      await environment.installer.install(id, options);
      catalogue.forget();
    },

    modes: async () => agentModes(await catalogue.get()),
    models: async () => agentModels(await catalogue.get()),

    async open(spec, sink) {
      const { model } = await catalogue.get();
      return openAcpSession(spec, sink, { profile, environment, limits, defaultModel: model?.current ?? null });
    },
  };
}
