/** Converts permissions and questions to OpenCode's form. Pure. */
import {
  type EventData,
  type PermissionData,
  type QuestionData,
  questionsOf,
  type SessionState,
} from "@sandbox-agent/schema";
import * as z from "zod";
import { type Conversation, callIn } from "./conversation.ts";
import { answerId, requestId } from "./ids.ts";
import { orphanCallId } from "./orphan-permissions.ts";
import { toolName } from "./tools.ts";
import type { OpenCodeEvent, PermissionRequest, QuestionRequest } from "./wire.ts";

/** The tool call that a request is about. */
function toolIn(conversation: Conversation, metadata: Record<string, unknown>, askedAt: number) {
  const exchange = conversation.exchanges.findLast(({ firstSequence }) => firstSequence <= askedAt);
  if (!exchange) return null;
  const orphan = conversation.orphans.find(({ sequence }) => sequence === askedAt);
  const callID = orphan ? orphanCallId(orphan) : callIn(conversation, metadata)?.call_id;
  return callID === undefined ? null : { messageID: answerId(exchange.messageId), callID };
}

export function permissionRequest(
  sessionID: string,
  { action, metadata }: PermissionData,
  askedAt: number,
  conversation: Conversation,
): PermissionRequest {
  const fields = metadata ?? {};
  const { command, path, diff, patterns, always } = Known.parse(fields);
  const tool = toolIn(conversation, fields, askedAt);
  return {
    id: requestId("per", sessionID, askedAt),
    sessionID,
    permission: toolName(action),
    patterns: patterns ?? [command ?? path ?? action],
    metadata: { ...fields, ...(path && { filepath: path }), ...(diff && { diff }) },
    always: always ?? ["*"],
    ...(tool && { tool }),
  };
}

/** Metadata fields that all agents name alike; other fields are passed on unparsed. */
const Known = z.object({
  command: z.string().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
  diff: z.string().optional().catch(undefined),
  patterns: z.array(z.string()).optional().catch(undefined),
  always: z.array(z.string()).optional().catch(undefined),
});

export function questionRequest(
  sessionID: string,
  data: QuestionData,
  askedAt: number,
  conversation: Conversation,
): QuestionRequest {
  const questions = questionsOf(data).map(({ question, header, options, multiSelect, custom }) => ({
    question,
    header: header || "Question",
    options: options.map(({ label, description }) => ({ label, description: description ?? "" })),
    multiple: multiSelect,
    ...(custom !== undefined && { custom }),
  }));
  const tool = toolIn(conversation, data.metadata ?? {}, askedAt);
  return { id: requestId("que", sessionID, askedAt), sessionID, questions, ...(tool && { tool }) };
}

/** The open permissions of a session, oldest first. */
export function openPermissions(id: string, state: SessionState, conversation: Conversation): PermissionRequest[] {
  return state.permissions.map((open) =>
    permissionRequest(id, open, state.requestedAt[open.permission_id] ?? 0, conversation),
  );
}

export function openQuestions(id: string, state: SessionState, conversation: Conversation): QuestionRequest[] {
  return state.questions.map((open) =>
    questionRequest(id, open, state.requestedAt[open.question_id] ?? 0, conversation),
  );
}

const Reply = z.object({ reply: z.enum(["once", "always", "reject"]).catch("reject") });

export function permissionReplied(sessionID: string, data: PermissionData, askedAt: number): OpenCodeEvent {
  const { reply } = Reply.parse(data.metadata ?? {});
  const requestID = requestId("per", sessionID, askedAt);
  return { type: "permission.replied", properties: { sessionID, requestID, reply } };
}

const Answers = z.object({ answers: z.array(z.array(z.string())).catch([]) });

export function questionResolved(
  sessionID: string,
  data: EventData<"question.resolved">,
  askedAt: number,
): OpenCodeEvent {
  const requestID = requestId("que", sessionID, askedAt);
  if (data.status === "rejected") return { type: "question.rejected", properties: { sessionID, requestID } };
  const { answers } = Answers.parse(data.metadata ?? {});
  return { type: "question.replied", properties: { sessionID, requestID, answers } };
}
