/** Modes that several agents share. */
import type { AgentMode } from "@sandbox-agent/schema";

export const buildMode: AgentMode = {
  id: "build",
  name: "Build",
  description: "Reads and edits files and runs commands; asks for permission depending on the permission mode",
};

export const planMode: AgentMode = {
  id: "plan",
  name: "Plan",
  description: "Explores the code and writes a plan, then asks for approval",
};
