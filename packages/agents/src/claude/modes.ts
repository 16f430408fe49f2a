/** Modes of the universal API in the words of Claude Code. */
import type { AgentMode, PermissionMode } from "@sandbox-agent/schema";
import type { AgentSettings } from "../agent.ts";
import { buildMode, planMode } from "../modes.ts";
import type { AgentInfo } from "./generated/protocol.ts";

const nativeModes: Record<PermissionMode, string> = {
  default: "default",
  plan: "plan",
  bypass: "bypassPermissions",
  acceptEdits: "acceptEdits",
};

const standardModes = [buildMode, planMode];

/** The mode a session starts its turns in. */
export function nativePermissionMode({ agentMode, permissionMode }: AgentSettings): string {
  return agentMode === "plan" ? "plan" : nativeModes[permissionMode];
}

/** The mode to go on with when a plan has been approved. */
export function modeAfterPlan({ permissionMode }: AgentSettings): string {
  return permissionMode === "plan" ? "default" : nativeModes[permissionMode];
}

/** Any other mode is an agent of the user's that runs the main thread. */
export function mainAgent({ agentMode }: AgentSettings): string | null {
  return standardModes.some(({ id }) => id === agentMode) ? null : agentMode;
}

/** Made for being called by others, not for leading a conversation. */
const builtInAgents = new Set(["claude", "Explore", "general-purpose", "Plan", "statusline-setup"]);

export function modesFrom(agents: readonly AgentInfo[]): AgentMode[] {
  const own = agents.filter(({ name }) => !builtInAgents.has(name));
  return [
    ...standardModes,
    ...own.map(({ name, description }) => ({ id: name, name, description: description || `The agent ${name}` })),
  ];
}
