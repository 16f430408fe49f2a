/** Token figures of a turn: Codex reports them per model request, for the thread and for each subagent. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import type { ThreadTokenUsageUpdatedNotification } from "../generated/protocol.ts";

type Update = ThreadTokenUsageUpdatedNotification;

export type UsageMeter = ReturnType<typeof createUsageMeter>;

export function createUsageMeter() {
  let usage: Usage | undefined;
  const totals = new Map<string, number>();
  return {
    add({ threadId, tokenUsage: { last, total, modelContextWindow } }: Update, isRoot: boolean): void {
      // The same figures are sent again, for instance when a thread is compacted.
      if (totals.get(threadId) === total.totalTokens) return;
      totals.set(threadId, total.totalTokens);
      usage = addUsage(usage ?? {}, {
        input_tokens: last.inputTokens,
        output_tokens: last.outputTokens,
        cached_tokens: last.cachedInputTokens,
        reasoning_tokens: last.reasoningOutputTokens,
        ...(isRoot && { context_used: last.totalTokens }),
        ...(isRoot && modelContextWindow && { context_window: modelContextWindow }),
      });
    },
    /** Figures that do not belong to the current turn. */
    skip({ threadId, tokenUsage: { total } }: Update): void {
      totals.set(threadId, total.totalTokens);
    },
    /** Returns the usage of the turn and resets the meter. */
    take(): Usage | undefined {
      const taken = usage;
      usage = undefined;
      return taken;
    },
  };
}
