/**
 * Approval of a plan. In plan mode Codex ends its turn with a plan and leaves the approval to its client. Here it becomes a
 * question of the turn, and after the approval the same turn continues.
 */
import type { Draft } from "../../draft.ts";
import { planOptions, planQuestions, questionDraft } from "../../questions.ts";

/** The message that is sent to Codex when the plan is approved. */
export const approvalMessage = "Implement the plan.";

export function planQuestionId(turnId: string): string {
  return `${turnId}-plan-approval`;
}

export function planQuestion(turnId: string, plan: string): Draft {
  const questions = planQuestions("Implement this plan?", planChoices);
  return questionDraft(planQuestionId(turnId), { questions, metadata: { kind: "plan_approval", plan } });
}

const planChoices = [
  { label: planOptions.approve, description: "Leave plan mode and start" },
  {
    label: planOptions.acceptEdits,
    description: "Leave plan mode and start; edits in the working directory need no permission",
  },
  { label: planOptions.reject, description: "Stay in plan mode" },
];

export type PlanDecision = "default" | "acceptEdits" | null;

/** The permission mode after the approval, or null if the plan was not approved. */
export function planDecision(answers: string[][] | null): PlanDecision {
  const [choice] = answers?.flat() ?? [];
  if (choice === planOptions.acceptEdits) return "acceptEdits";
  return choice === planOptions.approve ? "default" : null;
}
