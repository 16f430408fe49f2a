/** The usage of a turn: the sum of its model calls, including those of subagents. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import type { StepFinishPart } from "../generated/api.ts";

/** The usage of one model call. Tokens read from or written to the cache count as input. */
function stepUsage({ tokens, cost }: StepFinishPart) {
  return {
    input_tokens: tokens.input + tokens.cache.read + tokens.cache.write,
    output_tokens: tokens.output + tokens.reasoning,
    cached_tokens: tokens.cache.read,
    reasoning_tokens: tokens.reasoning,
    cost_usd: cost,
  } satisfies Usage;
}

/** `level`: whether the call is in the conversation's own context, not in a subagent's. */
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
