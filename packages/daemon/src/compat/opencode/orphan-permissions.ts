/**
 * Permissions that belong to no tool call. Clients show the tool call of a permission to explain it, so a permission
 * without one gets a tool part of its own: users must see what they allow. Pure.
 */
import type { PermissionData } from "@sandbox-agent/schema";
import { partId } from "./ids.ts";
import { stateWithoutOutput, toOpenCodeInput, toolName } from "./tools.ts";
import type { ToolPart } from "./wire.ts";

export interface OrphanPermission {
  permission: PermissionData;
  sequence: number;
  start: number;
  /** When it was resolved; null while it is open. */
  end: number | null;
}

const callFields = ["call_id", "tool_use_id", "item_id"];

/** The id of the tool call that the metadata of a request names. */
export function callIdIn(metadata: Record<string, unknown>): string | null {
  const callId = callFields.map((name) => metadata[name]).find((value) => typeof value === "string");
  return callId ?? null;
}

export function orphanCallId({ sequence }: Pick<OrphanPermission, "sequence">): string {
  return `ask_${sequence}`;
}

export function orphanPart(sessionID: string, messageID: string, orphan: OrphanPermission): ToolPart {
  const { permission, start, end } = orphan;
  const tool = toolName(permission.action);
  const { reply: _, reason: __, ...details } = permission.metadata ?? {};
  const input = toOpenCodeInput(tool, details);
  const part = {
    id: partId(orphan, 0),
    sessionID,
    messageID,
    type: "tool" as const,
    callID: orphanCallId(orphan),
    tool,
  };
  if (end === null || permission.status !== "denied") return { ...part, state: stateWithoutOutput(input, start, end) };
  const error = "the permission was rejected";
  return { ...part, state: { status: "error", input, error, time: { start, end } } };
}
