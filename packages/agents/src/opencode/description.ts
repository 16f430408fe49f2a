import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const opencode: AgentDescription = {
  id: "opencode",
  name: "OpenCode",
  capabilities: allCapabilitiesBut(),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};

/** Where it looks for skills in a working directory. */
export const skillFolder = ".opencode/skill";
