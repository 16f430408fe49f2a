import { expect, test } from "vitest";
import type { Credential } from "./credentials.ts";
import { environmentFor, redact } from "./show-credentials.ts";

test.each([
  ["sk-ant-api03-abcdefgh", "sk-a...efgh"],
  ["123456789", "1234...6789"],
  ["12345678", "****"],
  ["x", "****"],
  ["", "****"],
  ["  12345678 ", "****"],
])("%j is shown as %j", (key, shown) => {
  expect(redact(key)).toBe(shown);
});

test("credentials become the variables agents read", () => {
  const credential = (provider: string, api_key: string): Credential => ({
    provider,
    source: "opencode",
    auth_type: "api_key",
    api_key,
  });
  expect(environmentFor({ anthropic: null, openai: null, other: {} })).toEqual({});
  expect(
    environmentFor({
      anthropic: credential("anthropic", "a"),
      openai: credential("openai", "o"),
      other: { "z-ai": credential("z-ai", "z"), "x.y;z": credential("x.y;z", "x") },
    }),
  ).toEqual({
    ANTHROPIC_API_KEY: "a",
    CLAUDE_API_KEY: "a",
    OPENAI_API_KEY: "o",
    CODEX_API_KEY: "o",
    Z_AI_API_KEY: "z",
    X_Y_Z_API_KEY: "x",
  });
});
