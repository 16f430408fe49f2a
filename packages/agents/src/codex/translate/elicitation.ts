/**
 * Elicitation requests of MCP servers. Codex sends its own approval of MCP tools as such a request; all others are forms,
 * whose fields become questions.
 */
import type { PermissionReply } from "@sandbox-agent/schema";
import * as z from "zod";
import { Form, formContent, formFields, formQuestions } from "../../forms.ts";
import type { RpcId } from "../../process/json-rpc.ts";
import { questionDraft } from "../../questions.ts";
import type { McpServerElicitationRequestParams, McpServerElicitationRequestResponse } from "../generated/protocol.ts";
import { permission, type UserRequest } from "./user-request.ts";

const ApprovalMeta = z.object({
  codex_approval_kind: z.literal("mcp_tool_call"),
  tool_params: z.unknown(),
  tool_description: z.string().nullish(),
});

export function isToolApproval({ _meta }: McpServerElicitationRequestParams): boolean {
  return ApprovalMeta.safeParse(_meta).success;
}

export function toolApproval(rpcId: RpcId, id: string, request: McpServerElicitationRequestParams): UserRequest {
  const { message = "", serverName, _meta } = request;
  const { tool_params, tool_description } = ApprovalMeta.parse(_meta);
  const tool = /tool "([^"]+)"/.exec(message)?.[1];
  const metadata = {
    server: serverName,
    mcp_tool: tool ?? null,
    message,
    arguments: tool_params,
    description: tool_description ?? null,
  };
  const reply = (choice: PermissionReply): McpServerElicitationRequestResponse =>
    choice === "reject"
      ? { action: "decline", content: null, _meta: null }
      : { action: "accept", content: {}, _meta: choice === "always" ? { persist: "session" } : null };
  return permission(rpcId, id, tool ? `mcp__${serverName}__${tool}` : `mcp__${serverName}`, metadata, reply);
}

export function elicitationQuestion(rpcId: RpcId, id: string, request: McpServerElicitationRequestParams): UserRequest {
  const { message = "", serverName, url } = request;
  const fields = formFields(Form().safeParse(request.requestedSchema).data ?? { properties: {} }, ["Yes", "No"]);
  const questions = formQuestions(fields, ({ name, title, description }) => ({
    question: description ?? title ?? name,
    header: title ?? name,
  }));
  const prompt = url ? `${message}\n${url}` : message;
  const metadata = { server: serverName, ...(url && { url }) };
  const reply = (answers: string[][] | null): McpServerElicitationRequestResponse =>
    answers === null
      ? { action: "decline", content: null, _meta: null }
      : { action: "accept", content: formContent(fields, answers), _meta: null };
  return {
    draft: questionDraft(id, { prompt, questions, metadata, otherwise: url ? ["Done"] : [] }),
    answer: { on: "question", rpcId, reply },
  };
}
