/**
 * Approving a plan. In plan mode Codex ends its turn with a plan and leaves the question what to do with it to its
 * client; here it is a question of the turn, and approving it goes on in the same turn.
 */
import type { Draft } from "../../draft.ts";
import { planOptions, planQuestions, questionDraft } from "../../questions.ts";

/** What is said to Codex when the plan is approved. */
export const approvalMessage = "Implement the plan.";

export function planQuestionId(turnId: string): string {
  return `${turnId}-plan-approval`;
}

export function planQuestion(turnId: string, plan: string): Draft {
  const questions = planQuestions("Implement this plan?", planChoices);
  return questionDraft(planQuestionId(turnId), { questions, metadata: { kind: "plan_approval", plan } });
}

const planChoices = [
  { label: planOptions.approve, description: "Leave plan mode and begin" },
  {
    label: planOptions.acceptEdits,
    description: "Leave plan mode and begin; edits in the working directory need no permission",
  },
  { label: planOptions.reject, description: "Stay in plan mode" },
];

export type PlanDecision = "default" | "acceptEdits" | null;

/** The permission mode to go on with, or null when the plan was not approved. */
export function planDecision(answers: string[][] | null): PlanDecision {
  const [choice] = answers?.flat() ?? [];
  if (choice === planOptions.acceptEdits) return "acceptEdits";
  return choice === planOptions.approve ? "default" : null;
}
