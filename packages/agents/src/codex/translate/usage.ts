/** Token figures of a turn: Codex reports them per model request, for the thread and for each subagent. */
import type { Usage } from "@sandbox-agent/schema";
import type { ThreadTokenUsageUpdatedNotification } from "../generated/protocol.ts";

export interface UsageMeter {
  add(update: ThreadTokenUsageUpdatedNotification, isRoot: boolean): void;
  /** Figures that belong to no turn of ours. */
  skip(update: ThreadTokenUsageUpdatedNotification): void;
  /** What the turn has used, and begins anew. */
  take(): Usage | undefined;
}

export function createUsageMeter(): UsageMeter {
  let usage: Usage | undefined;
  const totals = new Map<string, number>();
  return {
    add({ threadId, tokenUsage: { last, total, modelContextWindow } }, isRoot) {
      // The same figures are sent again, for instance when a thread is compacted.
      if (totals.get(threadId) === total.totalTokens) return;
      totals.set(threadId, total.totalTokens);
      usage = {
        ...usage,
        input_tokens: (usage?.input_tokens ?? 0) + last.inputTokens,
        output_tokens: (usage?.output_tokens ?? 0) + last.outputTokens,
        cached_tokens: (usage?.cached_tokens ?? 0) + last.cachedInputTokens,
        reasoning_tokens: (usage?.reasoning_tokens ?? 0) + last.reasoningOutputTokens,
        ...(isRoot && { context_used: last.totalTokens }),
        ...(isRoot && modelContextWindow && { context_window: modelContextWindow }),
      };
    },
    skip({ threadId, tokenUsage: { total } }) {
      totals.set(threadId, total.totalTokens);
    },
    take() {
      const taken = usage;
      usage = undefined;
      return taken;
    },
  };
}
