/** Every recording of the real Amp, of both generations, through the translator. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { replay } from "./amp-replay.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";
import { describeTranslations } from "./translated.ts";

const fixtures = join(import.meta.dirname, "../fixtures/amp");
const recordings = readdirSync(fixtures).filter((name) => name.endsWith(".jsonl"));

describeTranslations("amp", (name) => [replay(join(fixtures, name))]);

const played = (name: string) => replay(join(fixtures, `${name}.jsonl`));
const codes = (name: string) => ofType(played(name), "error").map(({ data }) => data.code);

test.each(recordings)("%s is understood and keeps the rules", (name) => {
  const events = replay(join(fixtures, name));
  expect(ofType(events, "agent.unparsed")).toEqual([]);
  expect(itemsOf(events).filter(({ kind }) => kind === "unknown")).toEqual([]);
  expect(checkEvents(events, { finished: true })).toEqual([]);
  expect(endOf(events)).not.toBe("interrupted");
});

describe("recordings", () => {
  test.each([
    ["v1777266064-error-400", "invalid_request"],
    ["v1777266064-error-401", "auth_invalid"],
    ["v1777266064-error-429", "rate_limited"],
    ["v1777266064-error-500", "provider_error"],
    ["v1790142911-error", "provider_error"],
  ])("%s fails with %s", (name, code) => {
    expect(codes(name)).toEqual([code]);
    expect(endOf(played(name))).toBe("failed");
  });

  test.each(["v1790142911-sigint-midtool", "v1777266064-sigint", "v1777266064-sigterm-midstream"])(
    "%s was aborted, which is no error",
    (name) => {
      expect(codes(name)).toEqual([]);
      expect(endOf(played(name))).toBe("aborted");
    },
  );

  test.each([
    "v1790142911-plugin-gate-reject",
    "v1790142911-delegate-reject-message",
    "v1790142911-delegate-reject",
    "v1777266064-delegate-reject-message",
  ])("%s: a refused call has failed, whatever Amp calls it", (name) => {
    const result = itemsOf(played(name)).find(({ kind }) => kind === "tool_result");
    expect(result?.status).toBe("failed");
  });

  test.each(["v1790142911-json-input-two-turns", "v1777266064-json-input-two-turns"])("%s has two turns", (name) => {
    expect(ofType(played(name), "turn.ended").map(({ data }) => data.metadata?.reason)).toEqual([
      "completed",
      "completed",
    ]);
  });

  test("a message that interrupts belongs to the running turn", () => {
    const events = played("v1777266064-json-input-interrupting-message");
    expect(ofType(events, "turn.ended")).toHaveLength(1);
    expect(texts(events)).toHaveLength(2);
  });

  test("thoughts are distinguished from text, and usage is added up", () => {
    const events = played("v1790142911-thinking");
    expect(itemsOf(events).flatMap(({ content }) => content)).toContainEqual({
      type: "reasoning",
      text: "Considering the request.",
      visibility: "public",
    });
    expect(ofType(events, "turn.ended")[0]?.data.metadata?.usage).toMatchObject({
      input_tokens: 200,
      output_tokens: 24,
      context_used: 112,
    });
  });
});
