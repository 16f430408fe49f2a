import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const pi: AgentDescription = {
  id: "pi",
  name: "Pi",
  capabilities: allCapabilitiesBut("sharedProcess"),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
