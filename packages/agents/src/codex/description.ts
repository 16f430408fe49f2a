import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const codex: AgentDescription = {
  id: "codex",
  name: "Codex",
  capabilities: allCapabilitiesBut(),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};
