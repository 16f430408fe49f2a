/** Control requests of Claude Code: tool permissions, questions, plan approval, forms of MCP servers. */
import type { Draft } from "../../draft.ts";
import { Form, type FormField, formFields, formQuestions } from "../../forms.ts";
import { planDraft, questionDraft } from "../../questions.ts";
import {
  AskUserQuestionInput,
  ExitPlanModeInput,
  type SDKControlElicitationRequest,
  type SDKControlPermissionRequest,
} from "../generated/protocol.ts";

export type PendingRequest = { isBackground: boolean } & (
  | { kind: "permission"; request: SDKControlPermissionRequest }
  | { kind: "question"; request: SDKControlPermissionRequest; questions: readonly string[] }
  | { kind: "plan"; request: SDKControlPermissionRequest }
  | { kind: "form"; fields: readonly FormField[] }
);

interface Requested {
  pending: PendingRequest;
  draft: Draft;
}

/** The request as a draft, and the data that is needed for the reply. */
export function toolRequest(id: string, request: SDKControlPermissionRequest, raw: unknown): Requested {
  if (request.tool_name === "AskUserQuestion") return questionRequest(id, request, raw);
  if (request.tool_name === "ExitPlanMode") return planRequest(id, request, raw);
  const { tool_name: tool, input, tool_use_id, agent_id, title, description, decision_reason, blocked_path } = request;
  const extra = { agent_id, title, description, decision_reason, blocked_path };
  const known = Object.fromEntries(Object.entries(extra).filter(([, value]) => value));
  const metadata = { tool, input, tool_use_id, ...known, ...commandOrPath(input) };
  return {
    pending: { kind: "permission", isBackground: isBackground(request), request },
    draft: { type: "permission.requested", permission: { permission_id: id, action: tool, metadata }, raw },
  };
}

function isBackground({ agent_id }: SDKControlPermissionRequest): boolean {
  return Boolean(agent_id);
}

/** Command and path, under the names that are the same for all agents. */
function commandOrPath(input: Record<string, unknown>): Record<string, unknown> {
  const path = input.file_path ?? input.notebook_path ?? input.path;
  return {
    ...(typeof input.command === "string" && { command: input.command }),
    ...(typeof path === "string" && { path }),
  };
}

function questionRequest(id: string, request: SDKControlPermissionRequest, raw: unknown): Requested {
  const questions = (AskUserQuestionInput.safeParse(request.input).data?.questions ?? []).map(
    ({ question, header, options, multiSelect }) => ({
      question,
      header: header ?? "",
      options: (options ?? []).map(({ label, description }) => ({ label, description: description ?? "" })),
      multiSelect: multiSelect ?? false,
    }),
  );
  const metadata = { tool: request.tool_name, tool_use_id: request.tool_use_id };
  return {
    pending: {
      kind: "question",
      isBackground: isBackground(request),
      request,
      questions: questions.map((each) => each.question),
    },
    draft: questionDraft(id, { questions, metadata }, raw),
  };
}

function planRequest(id: string, request: SDKControlPermissionRequest, raw: unknown): Requested {
  const { plan = "", planFilePath } = ExitPlanModeInput.parse(request.input);
  const { tool_name: tool, tool_use_id } = request;
  const metadata = { tool, tool_use_id, plan, ...(typeof planFilePath === "string" && { planFilePath }) };
  return {
    pending: { kind: "plan", isBackground: isBackground(request), request },
    draft: planDraft(id, plan, metadata, raw),
  };
}

export function formRequest(id: string, request: SDKControlElicitationRequest, raw: unknown): Requested {
  const { message, url, mcp_server_name: server } = request;
  const fields = formFields(Form().parse(request.requested_schema ?? {}));
  const questions = formQuestions(fields, ({ name, title, description }) => ({
    question: description ?? title ?? name,
    header: server ?? "",
  }));
  const prompt = [message ?? "", ...(url ? [url] : [])].join("\n\n");
  const metadata = { tool: "elicitation", server };
  return {
    pending: { kind: "form", isBackground: false, fields },
    draft: questionDraft(id, { prompt, questions, metadata, otherwise: ["Done"] }, raw),
  };
}
