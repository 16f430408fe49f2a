/** Adds up what the model calls of a turn have used, those of subagents included. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import type { StepFinishPart } from "../generated/api.ts";

/** One model call. Tokens read from or written to the cache are input like the rest. */
function stepUsage({ tokens, cost }: StepFinishPart) {
  return {
    input_tokens: tokens.input + tokens.cache.read + tokens.cache.write,
    output_tokens: tokens.output + tokens.reasoning,
    cached_tokens: tokens.cache.read,
    reasoning_tokens: tokens.reasoning,
    cost_usd: cost,
  } satisfies Usage;
}

/** `level`: whether this call shows how full the conversation's own context is; a subagent's does not. */
export function withStep(total: Usage, step: StepFinishPart, level: boolean, contextWindow: number | null): Usage {
  const sum = addUsage(total, stepUsage(step));
  if (!level) return sum;
  const { input_tokens, output_tokens } = stepUsage(step);
  return {
    ...sum,
    context_used: input_tokens + output_tokens,
    ...(contextWindow && { context_window: contextWindow }),
  };
}
