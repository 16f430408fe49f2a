/** Usage: each turn's figures, and their totals over the session. */
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";

const ofOneTurn = {
  input_tokens: 1200,
  output_tokens: 340,
  cached_tokens: 800,
  reasoning_tokens: 60,
  cost_usd: 0.0125,
  context_used: 1540,
  context_window: 200000,
};

test("a turn ends with its usage", async () => {
  const client = await startTestClient();
  await client.create("a");
  const events = await client.stream("a", "usage");
  expect(events.at(-1)?.data).toEqual({
    phase: "ended",
    turn_id: "turn_1",
    metadata: { reason: "completed", usage: ofOneTurn },
  });
});

test("a turn that reports none ends without", async () => {
  const client = await startTestClient();
  await client.create("a");
  const events = await client.stream("a", "hello");
  expect(events.at(-1)?.data).toEqual({ phase: "ended", turn_id: "turn_1", metadata: { reason: "completed" } });
});

describe("the totals", () => {
  test("add up tokens and cost; the context is a level", async () => {
    const client = await startTestClient();
    await client.create("a");
    for (const message of ["usage", "hello", "usage"]) await client.stream("a", message);
    const { json } = await client.get("/v1/sessions/a");
    expect(json.usage).toEqual({
      input_tokens: 2400,
      output_tokens: 680,
      cached_tokens: 1600,
      reasoning_tokens: 120,
      cost_usd: 0.025,
      context_used: 1540,
      context_window: 200000,
    });
  });

  test("are in the transcript, beside the figures of each turn", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "usage");
    await client.stream("a", "hello");
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect([json.usage, ...json.turns.map(({ usage }: { usage: unknown }) => usage)]).toEqual([
      ofOneTurn,
      ofOneTurn,
      null,
    ]);
  });
});
