/**
 * Universal modes in terms of OpenCode: which of its agents is used, and how permission requests are decided. The rules of
 * the servers request permission for everything that matters, and the mode decides here. Rules of a native session would
 * not apply to its subagents, could not be revoked, and would only apply from the next turn.
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

/** The plan agent may only write plans. Without this rule, the rules above would turn its edits into requests. */
export const planPermissions = { edit: { "*": "deny", "*opencode/plans/*.md": "allow" } };

/** OpenCode's agent for the turn; undefined = the default agent of its configuration. */
export function nativeAgent({ agentMode, permissionMode }: Modes): string | undefined {
  if (permissionMode === "plan") return "plan";
  return agentMode === "custom" ? undefined : agentMode;
}

/** Whether a permission request goes to the user or is decided by the mode. */
export function decide(modes: Modes, permission: string): "ask" | "allow" | "reject" {
  // The plan agent itself cannot request this, but its subagents can.
  if (nativeAgent(modes) === "plan" && permission === "edit") return "reject";
  if (modes.permissionMode === "bypass") return "allow";
  return modes.permissionMode === "acceptEdits" && permission === "edit" ? "allow" : "ask";
}

/** The modes after the user has approved a plan. */
export function afterPlan<Settings extends Modes>(settings: Settings, acceptEdits: boolean): Settings {
  const agentMode = settings.agentMode === "plan" ? "build" : settings.agentMode;
  return { ...settings, agentMode, permissionMode: acceptEdits ? "acceptEdits" : "default" };
}
