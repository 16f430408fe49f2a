/** Any agent that speaks the Agent Client Protocol over stdio. */
import { capabilities, capabilityNames, ProblemError } from "@sandbox-agent/schema";
import type { Agent } from "../agent.ts";
import type { AgentEnvironment } from "../environment.ts";
import type { AcpProfile } from "./profile.ts";

export function createAcpAgent(profile: AcpProfile, environment: AgentEnvironment): Agent {
  const { id, name } = profile;
  const { installer } = environment;
  return {
    id,
    name,
    capabilities: capabilities(...capabilityNames.filter((capability) => capability !== "sharedProcess")),
    permissionModes: ["default", "plan", "bypass", "acceptEdits"],
    async inspect() {
      const installed = await installer.find(id);
      return { installed: installed !== null, credentialsAvailable: true };
    },
    async install(options) {
      await installer.install(id, options);
    },
    modes: async () => [{ id: "build", name: "Build", description: "The mode the agent starts in" }],
    models: async () => ({ models: [] }),
    async open() {
      throw new ProblemError("unsupported_agent", `${id} cannot be run yet`, { agent: id });
    },
  };
}
