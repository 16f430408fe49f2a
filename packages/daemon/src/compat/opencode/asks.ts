/**
 * Permissions that belong to no tool call. Clients show what a permission is about by looking at its tool call, and
 * nobody must be asked to allow something unseen: so such a permission comes with a tool part that shows it. Pure.
 */
import type { PermissionData } from "@sandbox-agent/schema";
import { partId } from "./ids.ts";
import { inOpenCodesWords, silentState, toolName } from "./tools.ts";
import type { ToolPart } from "./wire.ts";

export interface Ask {
  permission: PermissionData;
  sequence: number;
  start: number;
  /** When it was settled; null while it is open. */
  end: number | null;
}

const callFields = ["call_id", "tool_use_id", "item_id"];

/** The tool call that a request says it is about. */
export function callIdIn(metadata: Record<string, unknown>): string | null {
  const callId = callFields.map((name) => metadata[name]).find((value) => typeof value === "string");
  return callId ?? null;
}

export function askCallId({ sequence }: Pick<Ask, "sequence">): string {
  return `ask_${sequence}`;
}

export function askPart(sessionID: string, messageID: string, ask: Ask): ToolPart {
  const { permission, start, end } = ask;
  const tool = toolName(permission.action);
  const { reply: _, reason: __, ...about } = permission.metadata ?? {};
  const input = inOpenCodesWords(tool, about);
  const part = { id: partId(ask, 0), sessionID, messageID, type: "tool" as const, callID: askCallId(ask), tool };
  if (end === null || permission.status !== "denied") return { ...part, state: silentState(input, start, end) };
  const error = "the permission was rejected";
  return { ...part, state: { status: "error", input, error, time: { start, end } } };
}
