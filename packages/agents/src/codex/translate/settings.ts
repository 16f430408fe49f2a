/** Settings of a session in Codex's terms: who is asked before what, where commands may write, and how they are asked. */
import type { AgentSettings } from "../../agent.ts";
import type { AskForApproval, CollaborationMode, SandboxMode, SandboxPolicy } from "../generated/protocol.ts";

export interface NativeSettings {
  approvalPolicy: AskForApproval;
  sandbox: SandboxMode;
  sandboxPolicy: SandboxPolicy;
  /** Answer to every file change, where the sandbox cannot tell edits from other writes. */
  fileChanges?: "once" | "reject";
}

const askForAll: AskForApproval = {
  granular: {
    sandbox_approval: true,
    rules: true,
    skill_approval: true,
    request_permissions: true,
    mcp_elicitations: true,
  },
};

/**
 * With a sandbox, reading is free and what the sandbox stops is asked for. Where none can be had (most containers), every
 * command is asked for and runs without one.
 */
export function nativeSettings({ agentMode, permissionMode }: AgentSettings, sandboxWorks: boolean): NativeSettings {
  if (permissionMode === "bypass" && agentMode !== "plan") return { approvalPolicy: "never", ...fullAccess };
  const mode = isPlanning({ agentMode, permissionMode }) ? "plan" : permissionMode;
  if (sandboxWorks) return { approvalPolicy: askForAll, ...(mode === "acceptEdits" ? workspaceWrite : readOnly) };
  const unsandboxed = { approvalPolicy: "untrusted", ...fullAccess } as const;
  if (mode === "acceptEdits") return { ...unsandboxed, fileChanges: "once" };
  return mode === "plan" ? { ...unsandboxed, fileChanges: "reject" } : unsandboxed;
}

export function isPlanning({
  agentMode,
  permissionMode,
}: Pick<AgentSettings, "agentMode" | "permissionMode">): boolean {
  return agentMode === "plan" || permissionMode === "plan";
}

/** Codex's own plan and default modes. The model must be named in it. */
export function collaborationMode(settings: AgentSettings, model: string): CollaborationMode {
  return {
    mode: isPlanning(settings) ? "plan" : "default",
    settings: { model, reasoning_effort: settings.variant, developer_instructions: null },
  };
}

const readOnly = { sandbox: "read-only", sandboxPolicy: { type: "readOnly", networkAccess: false } } as const;
const fullAccess = { sandbox: "danger-full-access", sandboxPolicy: { type: "dangerFullAccess" } } as const;
const workspaceWrite = {
  sandbox: "workspace-write",
  sandboxPolicy: { type: "workspaceWrite", networkAccess: false, excludeSlashTmp: false, excludeTmpdirEnvVar: false },
} as const;
