/** Modes that several agents have alike. */
import type { AgentMode } from "@sandbox-agent/schema";

export const buildMode: AgentMode = {
  id: "build",
  name: "Build",
  description: "Reads, edits and runs commands, asking where the permission mode says so",
};

export const planMode: AgentMode = {
  id: "plan",
  name: "Plan",
  description: "Explores and writes a plan, then asks for its approval",
};
