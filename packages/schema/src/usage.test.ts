import { describe, expect, test } from "vitest";
import { addUsage } from "./usage-total.ts";

describe("the usage of a session", () => {
  test("adds up tokens and cost", () => {
    const total = { input_tokens: 1, output_tokens: 2, cached_tokens: 3, reasoning_tokens: 4, cost_usd: 0.5 };
    const turn = { input_tokens: 10, output_tokens: 20, cached_tokens: 30, reasoning_tokens: 40, cost_usd: 0.25 };
    expect(addUsage(total, turn)).toEqual({
      input_tokens: 11,
      output_tokens: 22,
      cached_tokens: 33,
      reasoning_tokens: 44,
      cost_usd: 0.75,
    });
  });

  test("takes the newest level of the context", () => {
    const total = { context_used: 900, context_window: 1000 };
    expect(addUsage(total, { context_used: 100, context_window: 2000 })).toEqual({
      context_used: 100,
      context_window: 2000,
    });
  });

  test("keeps figures that a turn does not report", () => {
    expect(addUsage({ input_tokens: 5, context_used: 7 }, {})).toEqual({ input_tokens: 5, context_used: 7 });
  });

  test("begins with the first turn that reports", () => {
    expect(addUsage({}, { input_tokens: 5 })).toEqual({ input_tokens: 5 });
  });
});
