import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const codex: AgentDescription = {
  id: "codex",
  name: "Codex",
  capabilities: capabilities(...capabilityNames),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
