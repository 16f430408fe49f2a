import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const amp: AgentDescription = {
  id: "amp",
  name: "Amp",
  capabilities: allCapabilitiesBut("questions", "streamingDeltas", "itemStarted", "sharedProcess"),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
