/** Tokens of a turn: the sum of its model calls. Amp reports no cost and no context size. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import type { NativeUsage } from "./native.ts";

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

export function createUsageMeter() {
  let sum = nothing;
  let context = 0;

  return {
    onCall(usage: NativeUsage): void {
      const cached = usage.cache_read_input_tokens ?? 0;
      const input = (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + cached;
      const output = usage.output_tokens ?? 0;
      context = input + output;
      sum = addUsage(sum, { input_tokens: input, output_tokens: output, cached_tokens: cached });
    },
    /** Returns the figures of the turn and resets the meter. */
    turn(): Usage {
      const figures = sum;
      sum = nothing;
      return { ...figures, ...(context > 0 && { context_used: context }) };
    },
  };
}
