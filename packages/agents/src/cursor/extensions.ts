/**
 * Messages of Cursor beyond the protocol, as in its documentation. Questions and plans block the turn until they are
 * answered; the others are notes, which are sent as requests or as notifications.
 */
import { type Infer, lazy, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import type { AcpExtensions, ExtensionRequest } from "../acp/profile.ts";
import type { Draft } from "../draft.ts";
import { notice } from "../item-drafts.ts";
import { planQuestions, questionData } from "../questions.ts";

const Option = lazyObject(() => ({ id: z.string(), label: z.string() }));

const AskQuestion = lazyObject(() => ({
  toolCallId: z.string().optional(),
  title: z.string().nullish(),
  questions: z
    .array(
      z.object({
        id: z.string(),
        prompt: z.string(),
        options: z.array(Option()).catch([]),
        allowMultiple: z.boolean().catch(false),
      }),
    )
    .min(1),
}));
type AskQuestion = Infer<typeof AskQuestion>;

const CreatePlan = lazyObject(() => ({
  toolCallId: z.string().optional(),
  name: z.string().nullish(),
  overview: z.string().nullish(),
  plan: z.string(),
  todos: z.unknown().optional(),
}));

const Note = lazy(() => z.looseObject({ toolCallId: z.string().catch("cursor") }));

const cancelled = { outcome: { outcome: "cancelled" } };

const noteLabels: Record<string, string> = {
  "cursor/update_todos": "Todo list",
  "cursor/task": "Subagent",
  "cursor/generate_image": "Image",
};

export const cursorExtensions: AcpExtensions = {
  request(method, params) {
    if (method === "cursor/ask_question") return question(AskQuestion().parse(params));
    if (method === "cursor/create_plan") return plan(CreatePlan().parse(params));
    const drafts = note(method, params);
    return drafts && { kind: "notice", drafts, result: {} };
  },
  notification: note,
};

function question(request: AskQuestion): ExtensionRequest {
  const { title, questions, toolCallId } = request;
  const prompt = [title, ...questions.map((each) => each.prompt)].filter(Boolean).join("\n");
  const shown = questions.map(({ prompt: text, options, allowMultiple }) => ({
    question: text,
    header: title ?? "",
    options: options.map(({ label }) => ({ label, description: "" })),
    multiSelect: allowMultiple,
  }));
  const metadata = { tool: "ask_question", ...(toolCallId && { tool_call_id: toolCallId }) };
  return {
    kind: "question",
    question: questionData({ prompt, questions: shown, metadata }),
    result: (answers) => (answers ? answered(request, answers) : { outcome: { outcome: "skipped" } }),
    cancelled,
  };
}

/** Only Cursor's own options are accepted; any other answer becomes the reason for skipping the question. */
function answered({ questions }: AskQuestion, answers: string[][]): unknown {
  const chosen = questions.map(({ id, options }, index) => ({
    questionId: id,
    selectedOptionIds: options.filter(({ label }) => answers[index]?.includes(label)).map((option) => option.id),
  }));
  if (chosen.some(({ selectedOptionIds }) => selectedOptionIds.length > 0))
    return { outcome: { outcome: "answered", answers: chosen } };
  return { outcome: { outcome: "skipped", reason: answers.flat().join("\n") } };
}

const approve = "Approve";
const reject = "Reject";
const planChoices = [approve, reject].map((label) => ({ label, description: "" }));

function plan({ name, overview, plan: text, todos, toolCallId }: Infer<typeof CreatePlan>): ExtensionRequest {
  const question = "Approve this plan?";
  const prompt = [question, name, overview, text].filter(Boolean).join("\n\n");
  const call = { tool: "create_plan", ...(toolCallId && { tool_call_id: toolCallId }) };
  const metadata = { ...call, plan: text, ...(todos !== undefined && { todos }) };
  return {
    kind: "question",
    question: questionData({ prompt, questions: planQuestions(question, planChoices), metadata }),
    result(answers) {
      const chosen = answers?.flat() ?? [];
      if (chosen.includes(approve)) return { outcome: { outcome: "accepted" } };
      const reason = chosen.filter((answer) => answer !== reject).join("\n");
      return { outcome: { outcome: "rejected", ...(reason && { reason }) } };
    },
    cancelled,
  };
}

function note(method: string, params: unknown): Draft[] | null {
  const label = noteLabels[method];
  if (!label) return null;
  const { toolCallId, ...json } = Note().parse(params);
  return [notice(`${toolCallId}:${method}`, { label, json })];
}
