/** Token and cost figures of a turn, and their totals over a session. */
import * as z from "zod";

export const Usage = z
  .object({
    input_tokens: z.number().optional(),
    output_tokens: z.number().optional(),
    cached_tokens: z.number().optional(),
    reasoning_tokens: z.number().optional(),
    cost_usd: z.number().optional(),
    context_used: z.number().optional().meta({ description: "Tokens in the context window now" }),
    context_window: z.number().optional().meta({ description: "Size of the context window" }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

/** Adds a turn to the totals. Tokens and cost add up; the context figures are a level, so the newest one stands. */
export function addUsage(total: Usage, turn: Usage): Usage {
  const sum = { ...total, ...turn };
  for (const key of ["input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "cost_usd"] as const) {
    if (total[key] !== undefined && turn[key] !== undefined) sum[key] = total[key] + turn[key];
  }
  return sum;
}
