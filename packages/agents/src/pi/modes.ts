/** Modes of the universal API as modes of the extension. */
import type { AgentSettings } from "../agent.ts";
import { buildMode, planMode } from "../modes.ts";
import type { GateMode } from "./extension.ts";

export const agentModes = [buildMode, planMode];

export function gateMode({ agentMode, permissionMode }: AgentSettings): GateMode {
  return agentMode === "plan" ? "plan" : permissionMode;
}

/** The mode after a plan was approved. */
export function modeAfterPlan({ permissionMode }: AgentSettings): GateMode {
  return permissionMode === "plan" ? "default" : permissionMode;
}

export const planInstructions = [
  "Plan mode is on. Explore with the reading tools and ask with the tool question what only the user can decide.",
  "Change nothing and run nothing. When the plan is ready, present it with the tool exit_plan_mode.",
  "Plan mode is over as soon as that tool reports the user's approval.",
].join(" ");
