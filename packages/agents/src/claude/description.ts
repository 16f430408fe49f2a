import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const claude: AgentDescription = {
  id: "claude",
  name: "Claude Code",
  capabilities: allCapabilitiesBut("sharedProcess"),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};

/** Where it looks for skills in a working directory. */
export const skillFolder = ".claude/skills";
