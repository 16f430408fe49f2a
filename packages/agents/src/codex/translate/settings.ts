/** Settings of a session in Codex's format: approval policy, sandbox, and collaboration mode. */
import type { AgentSettings } from "../../agent.ts";
import type { AskForApproval, CollaborationMode, SandboxMode, SandboxPolicy } from "../generated/protocol.ts";

export interface NativeSettings {
  approvalPolicy: AskForApproval;
  sandbox: SandboxMode;
  sandboxPolicy: SandboxPolicy;
  /** The reply to every file change, used without a sandbox. */
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
 * With a sandbox, reading is allowed and approval is requested for what the sandbox blocks. Without a sandbox (in most
 * containers), approval is requested for every command.
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

/** Codex's plan or default mode. It requires a model. */
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
