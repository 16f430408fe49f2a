/** Totals of usage. Without zod, so that clients get the fold alone. */
import type { Usage } from "./usage.ts";

/** Adds a turn to the totals. Tokens and cost add up; the context figures are levels, so the newest value wins. */
export function addUsage(total: Usage, turn: Usage): Usage {
  const sum = { ...total, ...turn };
  for (const key of ["input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "cost_usd"] as const) {
    if (total[key] !== undefined && turn[key] !== undefined) sum[key] = total[key] + turn[key];
  }
  return sum;
}
