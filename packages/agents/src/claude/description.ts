import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const claude: AgentDescription = {
  id: "claude",
  name: "Claude Code",
  capabilities: capabilities(...capabilityNames.filter((name) => name !== "sharedProcess")),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
