/** Decides whether a tool call of Amp is allowed, rejected or asked, depending on the permission mode. Pure. */
import type { PermissionMode } from "@sandbox-agent/schema";
import type { AgentSettings } from "../../agent.ts";

export type Decision = { kind: "allow" } | { kind: "reject"; message: string } | { kind: "ask" };

/** Tools of the older and the newer Amp program that change nothing. Amp runs them in every mode without calling the gate. */
export const readOnlyTools = [
  "Read",
  "Grep",
  "glob",
  "finder",
  "find_thread",
  "read_thread",
  "read_web_page",
  "read_mcp_resource",
  "web_search",
  "look_at",
  "librarian",
  "oracle",
  "skill",
  "shell_command_status",
];

const editTools = new Set(["create_file", "edit_file", "apply_patch"]);

const planRejection =
  "Plan mode: nothing may be changed or run. Explore with the read-only tools, then describe what you would do.";

export function decide(tool: string, input: unknown, mode: PermissionMode): Decision {
  if (mode === "bypass" || readOnlyTools.includes(tool)) return { kind: "allow" };
  if (mode === "plan") return { kind: "reject", message: planRejection };
  if (mode === "acceptEdits" && editTools.has(tool) && !touchesSettings(input)) return { kind: "allow" };
  return { kind: "ask" };
}

/** The workspace settings in `.amp` can turn permissions off, so editing them always needs permission. */
function touchesSettings(input: unknown): boolean {
  return /\.amp\b/.test(JSON.stringify(input) ?? "");
}

/** Plan mode can be set as agent mode or as permission mode; either is enough. */
export function permissionModeOf({ agentMode, permissionMode }: AgentSettings): PermissionMode {
  return agentMode === "plan" ? "plan" : permissionMode;
}
