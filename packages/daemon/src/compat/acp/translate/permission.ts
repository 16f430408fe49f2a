/** Converts permissions to ACP requests, and the answers back. Pure. */
import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { PermissionData, PermissionReply } from "@sandbox-agent/schema";
import { toolFace } from "./tool.ts";

const options: PermissionOption[] = [
  { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject-once", name: "Reject", kind: "reject_once" },
  { optionId: "reject-always", name: "Reject until I disconnect", kind: "reject_always" },
];

const replies: Record<string, PermissionReply> = {
  "allow-once": "once",
  "allow-always": "always",
};

export function permissionRequest(sessionId: string, permission: PermissionData): RequestPermissionRequest {
  return { sessionId, toolCall: { ...callOf(permission), status: "pending" }, options };
}

/** Any other outcome than a listed option is a rejection. */
export function permissionReply(outcome: RequestPermissionOutcome): { reply: PermissionReply; forAll: boolean } {
  if (outcome.outcome !== "selected") return { reply: "reject", forAll: false };
  return { reply: replies[outcome.optionId] ?? "reject", forAll: outcome.optionId === "reject-always" };
}

/** Clients expect an update about a tool call before its permission request, and one with the result. */
export function askedUpdates(permission: PermissionData): SessionUpdate[] {
  if (callId(permission) !== null) return [];
  return [{ sessionUpdate: "tool_call", status: "pending", ...callOf(permission) }];
}

export function resolvedUpdates(permission: PermissionData): SessionUpdate[] {
  if (callId(permission) !== null) return [];
  const status = permission.status === "approved" ? "completed" : "failed";
  return [{ sessionUpdate: "tool_call_update", toolCallId: permission.permission_id, status }];
}

function callOf(permission: PermissionData) {
  const { permission_id, action, metadata } = permission;
  const input = metadata?.input ?? metadata ?? {};
  const { title, ...face } = toolFace(action, input);
  const toolCallId = callId(permission) ?? permission_id;
  return { toolCallId, title: textOf(metadata?.title) ?? title, rawInput: input, ...face };
}

/** The id of the tool call that a permission belongs to; the field's name depends on the agent. Null if there is none. */
export function callId({ metadata }: Pick<PermissionData, "metadata">): string | null {
  return textOf(metadata?.tool_call_id) ?? textOf(metadata?.tool_use_id) ?? textOf(metadata?.call_id);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
