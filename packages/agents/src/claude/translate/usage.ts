/**
 * Tokens and cost of a turn. Claude Code counts per process, subagents included, so the usage of a turn is the difference
 * between two results. The context is that of the last model call.
 */
import type { Usage } from "@sandbox-agent/schema";
import type { BetaUsage, SDKResultSuccess } from "../generated/protocol.ts";

interface Totals {
  input: number;
  output: number;
  cached: number;
  cost: number;
}

type Counted = Pick<SDKResultSuccess, "modelUsage" | "total_cost_usd">;

const nothing: Totals = { input: 0, output: 0, cached: 0, cost: 0 };

export function createUsageMeter() {
  let before = nothing;
  let context: BetaUsage = {};
  let model = "";

  return {
    /** A new process counts from zero. */
    restarted(): void {
      before = nothing;
    },
    setModel(name: string): void {
      model = name;
    },
    /** Figures of a call arrive in parts: the input when it starts, the output when it ends. */
    updateCall(figures: BetaUsage): void {
      const known = Object.entries(figures).filter(([, value]) => typeof value === "number" && value > 0);
      context = { ...context, ...Object.fromEntries(known) };
    },
    startCall(figures: BetaUsage): void {
      context = { ...figures };
    },
    turn(result: Counted): Usage {
      const now = totalsOf(result);
      const turn = {
        input_tokens: now.input - before.input,
        output_tokens: now.output - before.output,
        cached_tokens: now.cached - before.cached,
        cost_usd: now.cost - before.cost,
      };
      before = now;
      const used = contextTokens(context);
      const window = result.modelUsage?.[model]?.contextWindow;
      return { ...turn, ...(used > 0 && { context_used: used }), ...(window && { context_window: window }) };
    },
  };
}

function totalsOf({ modelUsage, total_cost_usd }: Counted): Totals {
  const sum = { ...nothing, cost: total_cost_usd ?? 0 };
  for (const usage of Object.values(modelUsage ?? {})) {
    const cached = usage.cacheReadInputTokens ?? 0;
    sum.input += (usage.inputTokens ?? 0) + (usage.cacheCreationInputTokens ?? 0) + cached;
    sum.output += usage.outputTokens ?? 0;
    sum.cached += cached;
  }
  return sum;
}

function contextTokens(usage: BetaUsage): number {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return (
    (input_tokens ?? 0) + (output_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
  );
}
