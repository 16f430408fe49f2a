/**
 * Permission requests. The agent defines the options: `once`, `always` and `reject` choose the first option of the matching
 * kind. A request to leave plan mode becomes a question about the plan.
 */
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { PermissionMode, PermissionReply } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { stringAt } from "../../json.ts";
import { planQuestions, questionDraft } from "../../questions.ts";
import type { PermissionRequest } from "../native.ts";
import { textOfBlock } from "./blocks.ts";

/** The call as known from earlier updates. */
export interface KnownCall {
  name: string;
  kind: string | null;
  input: unknown;
}

/** The reply to a request that was cancelled. */
export const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export function permissionDraft(id: string, { toolCall, options = [] }: PermissionRequest, call: KnownCall): Draft {
  const kind = toolCall.kind ?? call.kind;
  const input = toolCall.rawInput ?? call.input;
  const metadata = {
    tool: call.name,
    tool_call_id: toolCall.toolCallId,
    ...(toolCall.title && { title: toolCall.title }),
    ...(kind && { kind }),
    input,
    ...commandOrPath(input, toolCall),
    options,
  };
  return { type: "permission.requested", permission: { permission_id: id, action: call.name, metadata } };
}

/** Command and path, under the names that are the same for all agents. */
function commandOrPath(input: unknown, { locations }: PermissionRequest["toolCall"]): Record<string, unknown> {
  const command = stringAt(input, "command");
  const path = locations?.[0]?.path;
  return { ...(command !== null && { command }), ...(path && { path }) };
}

export function isPlanReview({ toolCall }: PermissionRequest, call: KnownCall): boolean {
  return (toolCall.kind ?? call.kind) === "switch_mode" || /exit_?-?plan_?-?mode/i.test(call.name);
}

export function planQuestion(id: string, { toolCall, options = [] }: PermissionRequest, call: KnownCall): Draft {
  const plan = (toolCall.content ?? [])
    .flatMap(({ content }) => (content ? (textOfBlock(content) ?? []) : []))
    .join("\n");
  const text = plan || stringAt(toolCall.rawInput, "plan") || stringAt(call.input, "plan");
  const question = toolCall.title || "Approve this plan?";
  const choices = options.map(({ name }) => ({ label: name, description: "" }));
  const prompt = text ? `${question}\n\n${text}` : question;
  const metadata = { tool: call.name, tool_call_id: toolCall.toolCallId, ...(text && { plan: text }) };
  return questionDraft(id, { prompt, questions: planQuestions(question, choices), metadata });
}

/** The reply to a plan. An answer that is none of the options rejects it. */
export function planReply(request: PermissionRequest, answers: string[][] | null): RequestPermissionResponse {
  const [answer] = answers?.flat() ?? [];
  const chosen = request.options?.find(({ name }) => name === answer);
  return chosen ? selected(chosen.optionId) : permissionReply(request, "reject");
}

/** If the agent does not offer a kind, the other kind with the same outcome is used. */
export function permissionReply(
  { options = [] }: PermissionRequest,
  reply: PermissionReply,
): RequestPermissionResponse {
  const wanted = {
    once: ["allow_once", "allow_always"],
    always: ["allow_always", "allow_once"],
    reject: ["reject_once", "reject_always"],
  }[reply];
  const option = wanted.flatMap((kind) => options.find((each) => each.kind === kind) ?? []).at(0);
  return option ? selected(option.optionId) : cancelled;
}

function selected(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: "selected", optionId } };
}

/** Whether the session's permission mode allows the call without asking the user. */
export function isAllowed({ toolCall }: PermissionRequest, call: KnownCall, mode: PermissionMode): boolean {
  if (mode === "bypass") return true;
  return mode === "acceptEdits" && (toolCall.kind ?? call.kind) === "edit";
}
