/** Questions to the user, as they are the same for all agents. */
import type { Draft } from "./draft.ts";

export interface ShownQuestion {
  question: string;
  header: string;
  options: readonly { label: string; description?: string | undefined }[];
  multiSelect: boolean;
}

interface Asked {
  questions: readonly ShownQuestion[];
  metadata: Record<string, unknown>;
  /** The text of all questions, unless it is another one. */
  prompt?: string;
  /** What to choose from where there are no questions. */
  otherwise?: string[];
}

/** A question without its id. The options are those of the first of the questions. */
export function questionData({ questions, metadata, prompt, otherwise = [] }: Asked) {
  return {
    prompt: prompt ?? questions.map(({ question }) => question).join("\n"),
    options: questions[0]?.options.map(({ label }) => label) ?? otherwise,
    metadata: { ...metadata, questions },
  };
}

export function questionDraft(id: string, asked: Asked, raw?: unknown): Draft {
  return { type: "question.requested", question: { question_id: id, ...questionData(asked) }, raw };
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

/** Whether a plan may be carried out. */
export function planDraft(id: string, plan: unknown, metadata: Record<string, unknown>, raw: unknown): Draft {
  const question = "Approve this plan?";
  const prompt = plan ? `${question}\n\n${plan}` : question;
  const questions = planQuestions(question, planChoices);
  return questionDraft(id, { prompt, questions, metadata: { ...metadata, plan } }, raw);
}
