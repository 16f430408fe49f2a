import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const pi: AgentDescription = {
  id: "pi",
  name: "Pi",
  capabilities: capabilities(...capabilityNames.filter((name) => name !== "sharedProcess")),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
