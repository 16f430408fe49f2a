import { capabilities, capabilityNames } from "@sandbox-agent/schema";
import type { AgentDescription } from "../agent.ts";

export const claude: AgentDescription = {
  id: "claude",
  name: "Claude Code",
  capabilities: capabilities(...capabilityNames.filter((name) => name !== "sharedProcess")),
  permissionModes: ["default", "plan", "bypass", "acceptEdits"],
};

/** Where it looks for skills in a working directory. */
export const skillFolder = ".claude/skills";
