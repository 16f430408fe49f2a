/**
 * Requests of MCP servers. Codex disguises its own question "may this tool run?" as one of them; the others are forms,
 * whose fields become questions.
 */
import type { PermissionReply } from "@sandbox-agent/schema";
import * as z from "zod";
import type { RpcId } from "../../process/json-rpc.ts";
import type { McpServerElicitationRequestParams, McpServerElicitationRequestResponse } from "../generated/protocol.ts";
import { type Ask, permission } from "./ask.ts";

const ApprovalMeta = z.object({
  codex_approval_kind: z.literal("mcp_tool_call"),
  tool_params: z.unknown(),
  tool_description: z.string().nullish(),
});

const Choice = z.object({ const: z.string(), title: z.string() });

const Field = z.object({
  type: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  enum: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  items: z.object({ enum: z.array(z.string()).optional(), anyOf: z.array(Choice).optional() }).optional(),
});
type Field = z.infer<typeof Field>;

const Form = z.object({ properties: z.record(z.string(), Field) });

export function isToolApproval({ _meta }: McpServerElicitationRequestParams): boolean {
  return ApprovalMeta.safeParse(_meta).success;
}

export function toolApproval(rpcId: RpcId, id: string, request: McpServerElicitationRequestParams): Ask {
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

export function elicitationQuestion(rpcId: RpcId, id: string, request: McpServerElicitationRequestParams): Ask {
  const { message = "", serverName, url } = request;
  const form = Form.safeParse(request.requestedSchema);
  const fields = Object.entries(form.success ? form.data.properties : {});
  const questions = fields.map(([name, field]) => ({
    question: field.description ?? field.title ?? name,
    header: field.title ?? name,
    options: labels(field).map((label) => ({ label, description: "" })),
    multiSelect: field.type === "array",
  }));
  const prompt = url ? `${message}\n${url}` : message;
  const options = questions[0]?.options.map(({ label }) => label) ?? (url ? ["Done"] : []);
  const reply = (answers: string[][] | null): McpServerElicitationRequestResponse =>
    answers === null
      ? { action: "decline", content: null, _meta: null }
      : { action: "accept", content: content(fields, answers), _meta: null };
  return {
    draft: {
      type: "question.requested",
      question: { question_id: id, prompt, options, metadata: { server: serverName, ...(url && { url }), questions } },
    },
    answer: { on: "question", rpcId, reply },
  };
}

function choices({ enum: values, oneOf, items }: Field): { value: string; label: string }[] {
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map((choice) => ({ value: choice.const, label: choice.title }));
  return (values ?? items?.enum ?? []).map((value) => ({ value, label: value }));
}

function labels(field: Field): string[] {
  return field.type === "boolean" ? ["Yes", "No"] : choices(field).map(({ label }) => label);
}

/** The form filled in. A field that was not answered is left out; the server says whether it may be. */
function content(fields: [string, Field][], answers: string[][]): Record<string, unknown> {
  const filled = fields.flatMap(([name, field], index) => {
    const given = answers[index] ?? [];
    return given.length > 0 ? [[name, fieldValue(field, given)]] : [];
  });
  return Object.fromEntries(filled);
}

function fieldValue(field: Field, given: string[]): unknown {
  const values = given.map((answer) => choices(field).find(({ label }) => label === answer)?.value ?? answer);
  const [first = ""] = values;
  switch (field.type) {
    case "array":
      return values;
    case "boolean":
      return /^(yes|true)$/i.test(first);
    case "number":
    case "integer":
      return Number(first);
    default:
      return first;
  }
}
