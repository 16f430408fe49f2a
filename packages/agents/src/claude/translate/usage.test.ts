import { expect, test } from "vitest";
import { createUsageMeter } from "./usage.ts";

const counted = (inputTokens: number, total_cost_usd: number) => ({
  total_cost_usd,
  modelUsage: {
    big: {
      inputTokens,
      outputTokens: 7,
      cacheReadInputTokens: 20,
      cacheCreationInputTokens: 300,
      contextWindow: 1000,
    },
    small: { inputTokens: 4000, outputTokens: 50, cacheReadInputTokens: 60_000, cacheCreationInputTokens: 0 },
  },
});

test("a turn is the difference between two results, over all models", () => {
  const meter = createUsageMeter();
  expect(meter.turn(counted(1, 0.5))).toEqual({
    input_tokens: 64_321,
    output_tokens: 57,
    cached_tokens: 60_020,
    cost_usd: 0.5,
  });
  expect(meter.turn(counted(3, 0.75))).toEqual({ input_tokens: 2, output_tokens: 0, cached_tokens: 0, cost_usd: 0.25 });
  meter.restarted();
  expect(meter.turn(counted(3, 0.75))).toMatchObject({ input_tokens: 64_323, cost_usd: 0.75 });
});

test("what is not counted is nothing", () => {
  const none = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: 0 };
  expect(createUsageMeter().turn({})).toEqual(none);
  expect(createUsageMeter().turn({ modelUsage: { big: {} } })).toEqual(none);
});

test("the context is what the last call held, in the window of the model in use", () => {
  const meter = createUsageMeter();
  meter.setModel("big");
  meter.startCall({ input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300, output_tokens: 1 });
  // The end of a call repeats figures as zero that were known from its start.
  meter.updateCall({ input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 4000 });
  expect(meter.turn(counted(1, 0))).toMatchObject({ context_used: 4321, context_window: 1000 });
  meter.startCall({ output_tokens: 5 });
  expect(meter.turn(counted(1, 0))).toMatchObject({ context_used: 5 });
  meter.startCall({ input_tokens: 5 });
  meter.updateCall({ output_tokens: 1 });
  expect(meter.turn(counted(1, 0))).toMatchObject({ context_used: 6 });
});
