/**
 * Converts questions to ACP requests: a form if the client supports forms, the `_sandboxagent` request if it supports
 * that, and otherwise one permission request per question, whose options are the answers. Pure.
 */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk/unstable";
import { type QuestionData, type QuestionPart, questionsOf } from "@sandbox-agent/schema";
import * as z from "zod";
import { callId } from "./permission.ts";

/** `null` = rejected. */
export type Answers = string[][] | null;

export const questionMethod = "_sandboxagent/session/request_question";

export function formRequest(sessionId: string, question: QuestionData): CreateElicitationRequest {
  const questions = questionsOf(question);
  const toolCallId = callId(question);
  return {
    mode: "form",
    sessionId,
    ...(toolCallId !== null && { toolCallId }),
    message: question.prompt,
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(questions.map((part, index) => [fieldName(index), formField(part)])),
      required: questions.map((_, index) => fieldName(index)),
    },
  };
}

const FormContent = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

export function formAnswers(question: QuestionData, response: CreateElicitationResponse): Answers {
  if (response.action !== "accept") return null;
  const content = FormContent.safeParse("content" in response ? response.content : null).data;
  if (!content) return null;
  return questionsOf(question).map((_, index) => {
    const value = content[fieldName(index)];
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [String(value)];
  });
}

export function extensionRequest(sessionId: string, question: QuestionData) {
  return { sessionId, questionId: question.question_id, questions: questionsOf(question) };
}

/** `answers` has one list per question, null to reject. */
export const ExtensionReply = z.object({ answers: z.array(z.array(z.string())).nullable() });

/** Questions without options cannot be sent as permission requests. */
export function choiceRequest(sessionId: string, question: QuestionData, index: number): RequestPermissionRequest {
  const part = questionsOf(question)[index];
  const toolCallId = `${question.question_id}/${index}`;
  return {
    sessionId,
    toolCall: { toolCallId, title: part?.question ?? question.prompt, kind: "other", status: "pending" },
    options: [
      ...(part?.options ?? []).map(({ label }, choice) => ({
        optionId: String(choice),
        name: label,
        kind: "allow_once" as const,
      })),
      { optionId: "reject", name: "Do not answer", kind: "reject_once" },
    ],
  };
}

/** The chosen label, or null. */
export function choiceAnswer(question: QuestionData, index: number, outcome: RequestPermissionOutcome): string | null {
  if (outcome.outcome !== "selected") return null;
  return questionsOf(question)[index]?.options[Number(outcome.optionId)]?.label ?? null;
}

export function canChoose(question: QuestionData): boolean {
  return questionsOf(question).every(({ options }) => options.length > 0);
}

function fieldName(index: number): string {
  return `question_${index}`;
}

function formField({ question, header, options, multiSelect }: QuestionPart): ElicitationPropertySchema {
  const about = { title: header || question, description: question };
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description && { description }),
  }));
  if (choices.length === 0) return { type: "string", ...about };
  return multiSelect
    ? { type: "array", ...about, items: { anyOf: choices } }
    : { type: "string", ...about, oneOf: choices };
}
