/**
 * The session's turn. It starts and ends with the native turn, unless a subagent is still running or a plan waits for
 * approval: then it continues until that is done. It ends exactly once.
 */
import type { ErrorData, TurnEndReason } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import type { Turn } from "../generated/protocol.ts";
import { errorData } from "./errors.ts";
import type { Items } from "./items.ts";
import { planQuestion, planQuestionId } from "./plan.ts";
import type { Threads } from "./threads.ts";
import type { UsageMeter } from "./usage.ts";

interface TurnParts {
  threads: Threads;
  items: Items;
  usage: UsageMeter;
  hasKey: boolean;
}

export function createTurns({ threads, items, usage, hasKey }: TurnParts) {
  let hasFailed = false;
  let plan: { turnId: string; text: string; isOpen: boolean } | null = null;
  /** The reason with which the turn ends once nothing is running. */
  let ending: TurnEndReason | null = null;

  function endWhenQuiet(): Draft[] {
    if (ending === null || plan?.isOpen || threads.running.size > 0) return [];
    const reason = ending;
    ending = null;
    const results = items.endTurn(reason !== "completed");
    const used = usage.take();
    return [...results, { type: "turn.ended", reason, ...(used && { usage: used }) }];
  }

  /** The turn has failed; its end follows. Only the first failure is emitted. */
  function fail(error: ErrorData): Draft[] {
    if (hasFailed) return [];
    hasFailed = true;
    return [{ type: "error", error }];
  }

  function reasonOf({ status }: Turn): TurnEndReason {
    if (hasFailed || status === "failed") return "failed";
    return status === "interrupted" ? "aborted" : "completed";
  }

  function forgetPlan(): void {
    plan = null;
    ending = null;
  }

  return {
    started(threadId: string, turnId: string): Draft[] {
      threads.turnStarted(threadId, turnId);
      if (!threads.isRoot(threadId)) return [];
      hasFailed = false;
      forgetPlan();
      return [{ type: "turn.started" }];
    },
    completed(threadId: string, turn: Turn): Draft[] {
      threads.turnEnded(threadId);
      if (!threads.isRoot(threadId)) return endWhenQuiet();
      const errors = turn.error ? fail(errorData(turn.error, hasKey)) : [];
      ending = reasonOf(turn);
      if (ending !== "completed" || !plan) return [...errors, ...endWhenQuiet()];
      plan.isOpen = true;
      return [...errors, planQuestion(plan.turnId, plan.text)];
    },
    fail,
    /** The turn has produced a plan. */
    onPlan(turnId: string, text: string): void {
      plan = { turnId, text, isOpen: false };
    },
    /** The id of the question about the plan that waits for approval. */
    get openPlan() {
      return plan?.isOpen ? planQuestionId(plan.turnId) : null;
    },
    endPlan(reason?: "aborted"): Draft[] {
      if (!plan?.isOpen) return [];
      forgetPlan();
      ending = reason ?? "completed";
      return endWhenQuiet();
    },
    forgetPlan,
  };
}
