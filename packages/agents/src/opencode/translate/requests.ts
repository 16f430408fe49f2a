/** Permissions and questions: what is open, how it is asked, and who answered it. */
import type { Draft } from "../../draft.ts";
import { stringAt } from "../../json.ts";
import { planOptions, questionDraft } from "../../questions.ts";
import type { EventPermissionAsked, EventQuestionAsked } from "../generated/api.ts";

export type PermissionAsked = EventPermissionAsked["properties"];
export type QuestionAsked = EventQuestionAsked["properties"];

/** The answers to a plan that is ready. The agent itself only knows yes and no. */
const planChoices = Object.values(planOptions).map((label) => ({ label, description: label }));

export type OpenRequest =
  | { kind: "permission"; asked: PermissionAsked }
  | { kind: "question"; asked: QuestionAsked }
  | { kind: "plan"; asked: QuestionAsked };

export function createRequests() {
  const open = new Map<string, OpenRequest>();

  function permission(asked: PermissionAsked, parent: string | null): Draft[] {
    open.set(asked.id, { kind: "permission", asked });
    return [
      {
        type: "permission.requested",
        permission: { permission_id: asked.id, action: asked.permission, metadata: permissionMetadata(asked, parent) },
      },
    ];
  }

  function question(asked: QuestionAsked, tool: string | null): Draft[] {
    const isPlan = tool === "plan_exit";
    open.set(asked.id, { kind: isPlan ? "plan" : "question", asked });
    const questions = asked.questions.map((each) => ({
      question: each.question,
      header: each.header,
      options: isPlan ? planChoices : each.options,
      multiSelect: each.multiple ?? false,
      custom: each.custom ?? true,
    }));
    const metadata = { questions, ...(tool && { tool }), ...(asked.tool && { call_id: asked.tool.callID }) };
    return [questionDraft(asked.id, { questions, metadata })];
  }

  /** The agent tells that a request is settled. If nobody here has answered it, it is no longer wanted. */
  function settled(id: string): Draft[] {
    return open.delete(id) ? [{ type: "request.withdrawn", request_id: id }] : [];
  }

  /** Takes a request out of the list to answer it. */
  function take(id: string): OpenRequest | null {
    const request = open.get(id) ?? null;
    open.delete(id);
    return request;
  }

  /** Everything that is still open, no longer wanted. */
  function withdrawAll(): Draft[] {
    return [...open.keys()].flatMap(settled);
  }

  return { permission, question, settled, take, withdrawAll, open: () => [...open.values()] };
}

/** What a client needs to show the request. The agent's own details stay together, apart from our names. */
function permissionMetadata(asked: PermissionAsked, parent: string | null): Record<string, unknown> {
  const { permission, patterns, always, metadata, tool } = asked;
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
