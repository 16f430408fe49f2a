/**
 * Approving a plan. In plan mode Codex ends its turn with a plan and leaves the question what to do with it to its
 * client; here it is a question of the turn, and approving it goes on in the same turn.
 */
import type { Draft } from "../../draft.ts";
import { planQuestions } from "../../questions.ts";

export const planOptions = { approve: "Approve", approveEdits: "Approve and accept edits", reject: "Reject" } as const;

/** What is said to Codex when the plan is approved. */
export const approvalMessage = "Implement the plan.";

export function planQuestionId(turnId: string): string {
  return `${turnId}-plan-approval`;
}

export function planQuestion(turnId: string, plan: string): Draft {
  const question = "Implement this plan?";
  return {
    type: "question.requested",
    question: {
      question_id: planQuestionId(turnId),
      prompt: question,
      options: Object.values(planOptions),
      metadata: {
        kind: "plan_approval",
        plan,
        questions: planQuestions(question, planChoices),
      },
    },
  };
}

const planChoices = [
  { label: planOptions.approve, description: "Leave plan mode and begin" },
  {
    label: planOptions.approveEdits,
    description: "Leave plan mode and begin; edits in the working directory need no permission",
  },
  { label: planOptions.reject, description: "Stay in plan mode" },
];

export type PlanDecision = "default" | "acceptEdits" | null;

/** The permission mode to go on with, or null when the plan was not approved. */
export function planDecision(answers: string[][] | null): PlanDecision {
  const [choice] = answers?.flat() ?? [];
  if (choice === planOptions.approveEdits) return "acceptEdits";
  return choice === planOptions.approve ? "default" : null;
}
