/** Modes of the universal API as Claude Code's permission modes and agents. */
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

/** The permission mode of a session's turns. */
export function nativePermissionMode({ agentMode, permissionMode }: AgentSettings): string {
  return agentMode === "plan" ? "plan" : nativeModes[permissionMode];
}

/** The permission mode after a plan was approved. */
export function modeAfterPlan({ permissionMode }: AgentSettings): string {
  return permissionMode === "plan" ? "default" : nativeModes[permissionMode];
}

/** Any other mode is the name of a user-defined agent that runs the main thread. */
export function mainAgent({ agentMode }: AgentSettings): string | null {
  return standardModes.some(({ id }) => id === agentMode) ? null : agentMode;
}

/** Built-in subagents, which are not meant to run the main thread. */
const builtInAgents = new Set(["claude", "Explore", "general-purpose", "Plan", "statusline-setup"]);

export function modesFrom(agents: readonly AgentInfo[]): AgentMode[] {
  const own = agents.filter(({ name }) => !builtInAgents.has(name));
  return [
    ...standardModes,
    ...own.map(({ name, description }) => ({ id: name, name, description: description || `The agent ${name}` })),
  ];
}
