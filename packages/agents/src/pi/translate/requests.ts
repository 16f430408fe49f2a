/**
 * Requests of Pi to its host: dialogs of our extension become permissions, questions and plans; dialogs of the user's
 * extensions become questions.
 */
import type { PermissionReply } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { planDraft, planOptions, questionDraft } from "../../questions.ts";
import { dialogMark, type GateMode } from "../extension.ts";
import { UiRequest } from "../native.ts";

export interface PendingRequest {
  kind: "permission" | "question" | "plan" | "confirm" | "foreign";
}

interface Requested {
  pending: PendingRequest;
  draft: Draft;
}

const Permission = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const Question = z.object({
  toolCallId: z.string(),
  questions: z.array(
    z.object({
      question: z.string(),
      header: z.string().optional(),
      multiple: z.boolean().optional(),
      options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
    }),
  ),
});
const Plan = z.object({ toolCallId: z.string(), plan: z.string() });
const Call = z.object({ server: z.string(), tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** Kind and content of a dialog of our extension; null for other dialogs. Throws if it cannot be parsed. */
function ownDialog({ title = "" }: UiRequest): { kind: string; content: unknown } | null {
  const found = title.startsWith(dialogMark) ? /^(\w+) (.*)$/s.exec(title.slice(dialogMark.length)) : null;
  return found?.[1] && found[2] ? { kind: found[1], content: JSON.parse(found[2]) } : null;
}

/** A call of an MCP tool. The driver answers it; no event is needed, because the tool call is already an item. */
export function mcpCall(raw: unknown): { id: string; call: z.infer<typeof Call> } | null {
  const { data: request } = UiRequest.safeParse(raw);
  if (!request?.title?.startsWith(`${dialogMark}mcp `)) return null;
  const { data: call } = Call.safeParse(ownDialog(request)?.content);
  return call ? { id: request.id, call } : null;
}

/** The dialog as a draft, and the data needed for the reply; null if it needs no reply. */
export function dialogRequest(request: UiRequest, raw: unknown): Requested | null {
  const own = ownDialog(request);
  if (!own) return foreignRequest(request, raw);
  switch (own.kind) {
    case "permission":
      return permissionRequest(request.id, Permission.parse(own.content), raw);
    case "question":
      return questionRequest(request.id, Question.parse(own.content), raw);
    case "plan":
      return planRequest(request.id, Plan.parse(own.content), raw);
    default:
      return null;
  }
}

function permissionRequest(
  id: string,
  { toolCallId, toolName, input }: z.infer<typeof Permission>,
  raw: unknown,
): Requested {
  const { command, path } = input;
  const metadata = {
    tool: toolName,
    input,
    tool_use_id: toolCallId,
    // Command and path, under the names that are the same for all agents.
    ...(typeof command === "string" && { command }),
    ...(typeof path === "string" && { path }),
  };
  return {
    pending: { kind: "permission" },
    draft: { type: "permission.requested", permission: { permission_id: id, action: toolName, metadata }, raw },
  };
}

function questionRequest(id: string, { toolCallId, questions }: z.infer<typeof Question>, raw: unknown): Requested {
  const shown = questions.map(({ question, header = "", multiple = false, options }) => ({
    question,
    header,
    options: options.map(({ label, description = "" }) => ({ label, description })),
    multiSelect: multiple,
  }));
  const metadata = { tool: "question", tool_use_id: toolCallId };
  return { pending: { kind: "question" }, draft: questionDraft(id, { questions: shown, metadata }, raw) };
}

function planRequest(id: string, { toolCallId, plan }: z.infer<typeof Plan>, raw: unknown): Requested {
  const metadata = { tool: "exit_plan_mode", tool_use_id: toolCallId };
  return { pending: { kind: "plan" }, draft: planDraft(id, plan, metadata, raw) };
}

function foreignRequest({ id, method, title = "", message, options, prefill, placeholder }: UiRequest, raw: unknown) {
  const isConfirm = method === "confirm";
  if (!isConfirm && !["select", "input", "editor"].includes(method)) return null;
  const prompt = [title, message ?? placeholder ?? prefill].filter(Boolean).join("\n\n");
  const question = {
    question_id: id,
    prompt,
    options: isConfirm ? ["Yes", "No"] : (options ?? []),
    metadata: { tool: "extension", method },
  };
  const pending: PendingRequest = { kind: isConfirm ? "confirm" : "foreign" };
  return { pending, draft: { type: "question.requested", question, raw } satisfies Draft };
}

// ── Replies ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type NativeReply = { value: string } | { confirmed: boolean } | { cancelled: true };

export function permissionReply(reply: PermissionReply): NativeReply {
  return { value: JSON.stringify(reply) };
}

/** The mode after the plan, if the answer approves it. */
export function approvedMode(answers: readonly string[][] | null, afterPlan: GateMode): GateMode | null {
  const [choice] = answers?.flat() ?? [];
  if (choice === planOptions.approve) return afterPlan;
  return choice === planOptions.acceptEdits ? "acceptEdits" : null;
}

export function questionReply(
  { kind }: PendingRequest,
  answers: readonly string[][] | null,
  afterPlan: GateMode,
): NativeReply {
  if (answers === null || kind === "permission") return { cancelled: true };
  const text = answers.flat().join(", ");
  switch (kind) {
    case "question":
      return { value: JSON.stringify(answers) };
    case "plan": {
      const mode = approvedMode(answers, afterPlan);
      return { value: JSON.stringify(mode ? { mode } : { feedback: text }) };
    }
    case "confirm":
      return { confirmed: /^(yes|true|y)$/i.test(text) };
    case "foreign":
      return { value: text };
  }
}
