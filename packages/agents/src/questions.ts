/** Questions to the user, in the form that is the same for all agents. */
import type { Draft } from "./draft.ts";

export interface ShownQuestion {
  question: string;
  header: string;
  options: readonly { label: string; description?: string | undefined }[];
  multiSelect: boolean;
}

interface QuestionContent {
  questions: readonly ShownQuestion[];
  metadata: Record<string, unknown>;
  /** Default: the texts of all questions. */
  prompt?: string;
  /** The options if there are no questions. */
  otherwise?: string[];
}

/** Question data without its id. The options are those of the first question. */
export function questionData({ questions, metadata, prompt, otherwise = [] }: QuestionContent) {
  return {
    prompt: prompt ?? questions.map(({ question }) => question).join("\n"),
    options: questions[0]?.options.map(({ label }) => label) ?? otherwise,
    metadata: { ...metadata, questions },
  };
}

export function questionDraft(id: string, content: QuestionContent, raw?: unknown): Draft {
  return { type: "question.requested", question: { question_id: id, ...questionData(content) }, raw };
}

export const planOptions = {
  approve: "Approve",
  acceptEdits: "Approve and accept edits",
  reject: "Reject",
} as const;

const planChoices = [
  { label: planOptions.approve, description: "Leave plan mode and carry the plan out" },
  { label: planOptions.acceptEdits, description: "The same, without asking before each file edit" },
  { label: planOptions.reject, description: "Keep planning; any other answer is taken as feedback" },
];

/** The one question about a plan, as `metadata` has it. */
export function planQuestions(question: string, options: ShownQuestion["options"]): ShownQuestion[] {
  return [{ question, header: "Plan", options, multiSelect: false }];
}

/** The question whether to carry out a plan. */
export function planDraft(id: string, plan: unknown, metadata: Record<string, unknown>, raw: unknown): Draft {
  const question = "Approve this plan?";
  const prompt = plan ? `${question}\n\n${plan}` : question;
  const questions = planQuestions(question, planChoices);
  return questionDraft(id, { prompt, questions, metadata: { ...metadata, plan } }, raw);
}
