/** Requests of the server as permissions and questions, and the replies in Codex's format. */
import type { PermissionReply } from "@sandbox-agent/schema";
import type { RpcId } from "../../process/json-rpc.ts";
import { questionDraft } from "../../questions.ts";
import {
  CommandExecutionRequestApprovalParams,
  type CommandExecutionRequestApprovalResponse,
  FileChangeRequestApprovalParams,
  type FileChangeRequestApprovalResponse,
  McpServerElicitationRequestParams,
  PermissionsRequestApprovalParams,
  type PermissionsRequestApprovalResponse,
  ToolRequestUserInputParams,
  type ToolRequestUserInputResponse,
} from "../generated/protocol.ts";
import { elicitationQuestion, isToolApproval, toolApproval } from "./elicitation.ts";
import { fileRefs } from "./file-changes.ts";
import type { Items } from "./items.ts";
import { permission, type UserRequest } from "./user-request.ts";

/** The request as a permission or question; null if its method is unknown. Throws if its params are invalid. */
export function readRequest(
  rpcId: RpcId,
  requestId: string,
  method: string,
  params: unknown,
  items: Items,
): UserRequest | null {
  switch (method) {
    case "item/commandExecution/requestApproval":
      return commandApproval(rpcId, requestId, CommandExecutionRequestApprovalParams.parse(params));
    case "item/fileChange/requestApproval":
      return fileApproval(rpcId, requestId, FileChangeRequestApprovalParams.parse(params), items);
    case "item/permissions/requestApproval":
      return permissionsApproval(rpcId, requestId, PermissionsRequestApprovalParams.parse(params));
    case "item/tool/requestUserInput":
      return userInput(rpcId, requestId, ToolRequestUserInputParams.parse(params));
    case "mcpServer/elicitation/request": {
      const request = McpServerElicitationRequestParams.parse(params);
      return isToolApproval(request)
        ? toolApproval(rpcId, requestId, request)
        : elicitationQuestion(rpcId, requestId, request);
    }
    default:
      return null;
  }
}

const decisions = { once: "accept", always: "acceptForSession", reject: "decline" } as const;

function commandApproval(rpcId: RpcId, id: string, params: CommandExecutionRequestApprovalParams): UserRequest {
  const { itemId, command, cwd, reason } = params;
  const metadata = { item_id: itemId, command: command ?? null, cwd: cwd ?? null, reason: reason ?? null };
  const reply = (choice: PermissionReply): CommandExecutionRequestApprovalResponse => ({ decision: decisions[choice] });
  return permission(rpcId, id, "command_execution", metadata, reply);
}

/** The request does not include the changes; they are in the item that was started before it. */
function fileApproval(rpcId: RpcId, id: string, params: FileChangeRequestApprovalParams, items: Items): UserRequest {
  const { itemId, reason, grantRoot } = params;
  const files = fileRefs(items.changesOf(itemId) ?? []);
  const metadata = { item_id: itemId, reason: reason ?? null, grant_root: grantRoot ?? null, files };
  const reply = (choice: PermissionReply): FileChangeRequestApprovalResponse => ({ decision: decisions[choice] });
  return permission(rpcId, id, "file_change", metadata, reply);
}

function permissionsApproval(rpcId: RpcId, id: string, params: PermissionsRequestApprovalParams): UserRequest {
  const { itemId, cwd, reason, permissions } = params;
  const metadata = { item_id: itemId, cwd, reason: reason ?? null, permissions };
  const reply = (choice: PermissionReply): PermissionsRequestApprovalResponse =>
    choice === "reject"
      ? { permissions: {}, scope: "turn" }
      : { permissions, scope: choice === "always" ? "session" : "turn" };
  return permission(rpcId, id, "permissions", metadata, reply);
}

function userInput(rpcId: RpcId, id: string, { itemId, questions }: ToolRequestUserInputParams): UserRequest {
  const shown = questions.map(({ question, header, options, isOther, isSecret }) => ({
    question,
    header,
    options: options ?? [],
    multiSelect: false,
    freeText: isOther ?? false,
    secret: isSecret ?? false,
  }));
  const metadata = { tool: "request_user_input", item_id: itemId };
  const reply = (answers: string[][] | null): ToolRequestUserInputResponse => {
    const given = questions.flatMap((each, index) =>
      answers?.[index] ? [[each.id, { answers: answers[index] }]] : [],
    );
    return { answers: Object.fromEntries(given) };
  };
  const draft = questionDraft(id, { prompt: questions[0]?.question ?? "", questions: shown, metadata });
  return { draft, answer: { on: "question", rpcId, reply } };
}
