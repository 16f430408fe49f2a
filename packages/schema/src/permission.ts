/** The keys under which an `always` reply is stored: the action, its first word, and the tool names in the metadata. */
import type { PermissionData } from "./event.ts";

const nameFields = ["tool", "tool_name", "toolName", "permission", "permission_name", "permissionName"];

export function permissionKeys({ action, metadata }: Pick<PermissionData, "action" | "metadata">): string[] {
  const names = nameFields.map((field) => metadata?.[field]).filter((name) => typeof name === "string");
  const leadingWord = action.trim().split(/[\s:(]/, 1);
  return [...new Set([action.trim(), ...leadingWord, ...names])].filter((key) => key !== "");
}
