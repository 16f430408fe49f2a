/** Modes of the universal API in the words of the extension. */
import type { AgentMode } from "@sandbox-agent/schema";
import type { AgentSettings } from "../agent.ts";
import type { GateMode } from "./extension.ts";

export const agentModes: AgentMode[] = [
  {
    id: "build",
    name: "Build",
    description: "Reads, edits and runs commands, asking where the permission mode says so",
  },
  { id: "plan", name: "Plan", description: "Explores and writes a plan, then asks for its approval" },
];

export function gateMode({ agentMode, permissionMode }: AgentSettings): GateMode {
  return agentMode === "plan" ? "plan" : permissionMode;
}

/** The mode to go on with when a plan has been approved. */
export function modeAfterPlan({ permissionMode }: AgentSettings): GateMode {
  return permissionMode === "plan" ? "default" : permissionMode;
}

export const planInstructions = [
  "Plan mode is on. Explore with the reading tools and ask with the tool question what only the user can decide.",
  "Change nothing and run nothing. When the plan is ready, present it with the tool exit_plan_mode.",
  "Plan mode is over as soon as that tool reports the user's approval.",
].join(" ");
