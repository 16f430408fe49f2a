/** Questions to the user, as they are the same for all agents. */
import type { Draft } from "./draft.ts";

interface ShownQuestion {
  question: string;
  header: string;
  options: readonly { label: string; description?: string | undefined }[];
  multiSelect: boolean;
}

/** The text is that of all questions, the options are those of the first. */
export function questionDraft(
  id: string,
  questions: readonly ShownQuestion[],
  metadata: Record<string, unknown>,
  raw?: unknown,
): Draft {
  const prompt = questions.map(({ question }) => question).join("\n");
  const options = questions[0]?.options.map(({ label }) => label) ?? [];
  const question = { question_id: id, prompt, options, metadata: { ...metadata, questions } };
  return { type: "question.requested", question, raw };
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
  return {
    type: "question.requested",
    question: {
      question_id: id,
      prompt: plan ? `${question}\n\n${plan}` : question,
      options: Object.values(planOptions),
      metadata: { ...metadata, plan, questions: planQuestions(question, planChoices) },
    },
    raw,
  };
}
