/** Open permissions and questions of OpenCode, and their drafts. */
import type { Draft } from "../../draft.ts";
import { stringAt } from "../../json.ts";
import { planOptions, questionDraft } from "../../questions.ts";
import type { EventPermissionAsked, EventQuestionAsked } from "../generated/api.ts";

export type PermissionAsked = EventPermissionAsked["properties"];
export type QuestionAsked = EventQuestionAsked["properties"];

/** The options for a finished plan. OpenCode itself only knows yes and no. */
const planChoices = Object.values(planOptions).map((label) => ({ label, description: label }));

export type OpenRequest =
  | { kind: "permission"; request: PermissionAsked }
  | { kind: "question"; request: QuestionAsked }
  | { kind: "plan"; request: QuestionAsked };

export function createRequests() {
  const open = new Map<string, OpenRequest>();

  function onPermission(request: PermissionAsked, parent: string | null): Draft[] {
    open.set(request.id, { kind: "permission", request });
    return [
      {
        type: "permission.requested",
        permission: {
          permission_id: request.id,
          action: request.permission,
          metadata: permissionMetadata(request, parent),
        },
      },
    ];
  }

  function onQuestion(request: QuestionAsked, tool: string | null): Draft[] {
    const isPlan = tool === "plan_exit";
    open.set(request.id, { kind: isPlan ? "plan" : "question", request });
    const questions = request.questions.map((each) => ({
      question: each.question,
      header: each.header,
      options: isPlan ? planChoices : each.options,
      multiSelect: each.multiple ?? false,
      custom: each.custom ?? true,
    }));
    const metadata = { questions, ...(tool && { tool }), ...(request.tool && { call_id: request.tool.callID }) };
    return [questionDraft(request.id, { questions, metadata })];
  }

  /** OpenCode reports that a request is settled. If it is still open here, it was withdrawn. */
  function onSettled(id: string): Draft[] {
    return open.delete(id) ? [{ type: "request.withdrawn", request_id: id }] : [];
  }

  /** Removes and returns a request, to answer it. */
  function take(id: string): OpenRequest | null {
    const request = open.get(id) ?? null;
    open.delete(id);
    return request;
  }

  /** Withdraws all open requests. */
  function withdrawAll(): Draft[] {
    return [...open.keys()].flatMap(onSettled);
  }

  return { onPermission, onQuestion, onSettled, take, withdrawAll, open: () => [...open.values()] };
}

/** The data a client needs to show the request. The native details are kept in `details`. */
function permissionMetadata(request: PermissionAsked, parent: string | null): Record<string, unknown> {
  const { permission, patterns, always, metadata, tool } = request;
  const command = stringAt(metadata, "command");
  const path = stringAt(metadata, "filepath");
  const diff = stringAt(metadata, "diff");
  return {
    permission,
    patterns,
    always,
    ...(command && { command }),
    ...(path && { path }),
    ...(diff && { diff }),
    ...(tool && { call_id: tool.callID }),
    ...(parent && { native_parent_id: parent }),
    details: metadata,
  };
}
