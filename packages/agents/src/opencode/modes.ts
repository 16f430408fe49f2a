/**
 * Universal modes to OpenCode's: which of its agents answers, and what becomes of what it asks. The rules of the servers
 * make it ask about everything that matters; each mode decides here. Rules of a native session would not reach its
 * subagents, could never be taken back, and would not hold before the next turn.
 */
import type { AgentSettings } from "../agent.ts";

type Modes = Pick<AgentSettings, "agentMode" | "permissionMode">;

/** The permission rules in the configuration of every server. The last rule that matches decides. */
export const serverPermissions = {
  "*": "ask",
  read: { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" },
  glob: "allow",
  grep: "allow",
  list: "allow",
  lsp: "allow",
  todowrite: "allow",
  question: "allow",
  skill: "allow",
  task: "allow",
  plan_enter: "deny",
  plan_exit: "allow",
};

/** The plan agent's own rule, which the rules above would turn into a question: it writes plans, nothing else. */
export const planPermissions = { edit: { "*": "deny", "*opencode/plans/*.md": "allow" } };

/** The agent of OpenCode that answers; undefined = the one its configuration names. */
export function nativeAgent({ agentMode, permissionMode }: Modes): string | undefined {
  if (permissionMode === "plan") return "plan";
  return agentMode === "custom" ? undefined : agentMode;
}

/** Whether a request is put to the user. */
export function decide(modes: Modes, permission: string): "ask" | "allow" | "refuse" {
  // The plan agent itself cannot ask for this; a subagent of it can.
  if (nativeAgent(modes) === "plan" && permission === "edit") return "refuse";
  if (modes.permissionMode === "bypass") return "allow";
  return modes.permissionMode === "acceptEdits" && permission === "edit" ? "allow" : "ask";
}

/** The modes after the user has approved a plan. */
export function afterPlan<Settings extends Modes>(settings: Settings, acceptEdits: boolean): Settings {
  const agentMode = settings.agentMode === "plan" ? "build" : settings.agentMode;
  return { ...settings, agentMode, permissionMode: acceptEdits ? "acceptEdits" : "default" };
}
