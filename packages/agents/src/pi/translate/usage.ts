/** Tokens and cost of a turn: the sum over its calls of the model. The context is what the last call held. */
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
    window(tokens: number | undefined): void {
      contextWindow = tokens;
    },
    called(usage: NativeUsage): void {
      add(usage);
      if (usage.totalTokens > 0) turn = { ...turn, context_used: usage.totalTokens };
    },
    /** What a tool has spent on calls of its own is no part of the context. */
    spent: add,
    /** The figures of the turn that ends here. */
    take(): Usage {
      const figures = { ...turn, ...(contextWindow !== undefined && { context_window: contextWindow }) };
      turn = {};
      return figures;
    },
  };
}
