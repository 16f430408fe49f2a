/** Tokens and cost of a turn: the sum of its model calls. The context is that of the last call. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import type { Usage as NativeUsage } from "../native.ts";

export function createUsageMeter() {
  let turn: Usage = {};
  let contextWindow: number | undefined;

  function add({ input, output, cacheRead, cacheWrite, reasoning, cost }: NativeUsage): void {
    turn = addUsage(turn, {
      input_tokens: input + cacheRead + cacheWrite,
      output_tokens: output,
      cached_tokens: cacheRead,
      cost_usd: cost.total,
      ...(typeof reasoning === "number" && { reasoning_tokens: reasoning }),
    });
  }

  return {
    setContextWindow(tokens: number | undefined): void {
      contextWindow = tokens;
    },
    onCall(usage: NativeUsage): void {
      add(usage);
      if (usage.totalTokens > 0) turn = { ...turn, context_used: usage.totalTokens };
    },
    /** Model calls of tools are not part of the context. */
    onToolCall: add,
    /** Returns the figures of the turn and resets the meter. */
    take(): Usage {
      const figures = { ...turn, ...(contextWindow !== undefined && { context_window: contextWindow }) };
      turn = {};
      return figures;
    },
  };
}
