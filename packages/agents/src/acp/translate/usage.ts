/** Tokens and cost of a turn. Tokens arrive with its end or in chunks, context and total cost in updates. */
import { addUsage, type Usage } from "@sandbox-agent/schema";
import { ChunkUsage, type PromptResult, type Tokens, UsageUpdate } from "../native.ts";

export function createUsageMeter() {
  let level: Usage = {};
  let totalCost = 0;
  let costBefore = 0;
  let onTheWay: Usage = {};

  return {
    update(raw: unknown): void {
      const { used, size, cost } = UsageUpdate().parse(raw);
      level = {
        ...level,
        ...(typeof used === "number" && { context_used: used }),
        ...(typeof size === "number" && { context_window: size }),
      };
      if (cost && (cost.currency ?? "USD") === "USD") totalCost = cost.amount;
    },
    chunk(raw: unknown): void {
      const { data } = ChunkUsage().safeParse(raw);
      if (data) onTheWay = addUsage(onTheWay, tokens(data._meta.usage));
    },
    turn({ usage, _meta }: PromptResult): Usage | undefined {
      const quota = _meta?.quota?.token_count;
      const counted = usage
        ? tokens(usage)
        : quota
          ? tokens({ inputTokens: quota.input_tokens, outputTokens: quota.output_tokens })
          : onTheWay;
      // A new process counts from zero again.
      const cost = totalCost < costBefore ? totalCost : totalCost - costBefore;
      costBefore = totalCost;
      onTheWay = {};
      const figures = { ...counted, ...level, ...(cost > 0 && { cost_usd: cost }) };
      return Object.keys(figures).length > 0 ? figures : undefined;
    },
  };
}

function tokens({ inputTokens, outputTokens, cachedReadTokens, thoughtTokens }: Partial<Tokens>): Usage {
  return {
    ...(typeof inputTokens === "number" && { input_tokens: inputTokens }),
    ...(typeof outputTokens === "number" && { output_tokens: outputTokens }),
    ...(typeof cachedReadTokens === "number" && { cached_tokens: cachedReadTokens }),
    ...(typeof thoughtTokens === "number" && { reasoning_tokens: thoughtTokens }),
  };
}
