import { describe, expect, test } from "vitest";
import { KnownSecrets } from "./known-secrets.ts";

const secrets = (...values: string[]) => new KnownSecrets(values);

test("every occurrence is replaced, and the longer of two with the same prefix", () => {
  const known = secrets("sk-ant-0123", "sk-ant-0123-4567", "other-secret");
  expect(known.redact("a sk-ant-0123-4567 b sk-ant-0123 c other-secret")).toBe(
    "a [redacted] b [redacted] c [redacted]",
  );
});

test("values with fewer than 8 characters are not secrets", () => {
  expect(secrets("short", "", "1234567").redact("short 1234567")).toBe("short 1234567");
});

test("special characters of regular expressions are matched literally", () => {
  const odd = "a.b*c(d)[e]{2}|f^$\\g+?-/";
  expect(secrets(odd).redact(`<${odd}>`)).toBe("<[redacted]>");
  expect(secrets("........").redact("abcdefgh")).toBe("abcdefgh");
});

describe("JSON", () => {
  test.each(['quote"in-it', "back\\slash", "slash/in-it", "new\nline-in-it", "umläut-and-😀", "tab\tin-it"])(
    "with %j in a value, a key, and a text that is JSON itself",
    (secret) => {
      const known = secrets(secret);
      const value = { plain: secret, nested: JSON.stringify({ deep: secret }), [secret]: ["x", `y${secret}z`] };
      const redacted = known.redactJson(JSON.stringify(value));
      expect(JSON.parse(redacted)).toEqual({
        plain: "[redacted]",
        nested: '{"deep":"[redacted]"}',
        "[redacted]": ["x", "y[redacted]z"],
      });
    },
  );

  test("stays JSON where a match begins inside an escape", () => {
    const json = JSON.stringify({ text: "\nabcdefgh" });
    const known = secrets("nabcdefgh");
    expect(known.isIn(json)).toBe(true);
    expect(known.redactJson(json)).toBe(json);
  });

  test("of others that escape slashes", () => {
    expect(secrets("abcd/efgh").redactJson('{"key":"abcd\\/efgh"}')).toBe('{"key":"[redacted]"}');
  });
});

test("a secret in an address is found in its encoded form", () => {
  expect(secrets("abc+def/ghi=").redact("?key=abc%2Bdef%2Fghi%3D&x")).toBe("?key=[redacted]&x");
});

test("each long line of a multi-line secret is a secret", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END KEY-----";
  const known = secrets(key);
  expect(known.redact(`1\tMIIEvQIBADANBgkqhkiG9w0B`)).toBe("1\t[redacted]");
  expect(known.redact("-----BEGIN KEY-----")).toBe("-----BEGIN KEY-----");
  expect(known.redact(`<${key}>`)).toBe("<[redacted]>");
});

test("tokens that a daemon has signed are found without being known", () => {
  const header = Buffer.from('{"alg":"EdDSA","typ":"JWT"}').toString("base64url");
  const token = `${header}.${"a".repeat(80)}.${"b".repeat(86)}`;
  expect(secrets().redact(`token ${token}.`)).toBe("token [redacted].");
});

test("secrets of the start stay; of those added later the least recently used are evicted", () => {
  const known = secrets("kept-for-good");
  known.add(["secret-first-", "secret-second-"]);
  known.add(Array.from({ length: 998 }, (_, index) => `secret-${index}-`));
  known.add(["secret-first-", "secret-last-"]);
  expect(known.redact("kept-for-good secret-first- secret-second- secret-last-")).toBe(
    "[redacted] [redacted] secret-second- [redacted]",
  );
});

test("a search is fast", () => {
  const known = secrets(...Array.from({ length: 10 }, (_, index) => `sk-ant-api03-${index}${crypto.randomUUID()}`));
  const text = JSON.stringify({ event_id: "evt_1_1", type: "item.delta", data: { delta: "some words of text" } });
  const rounds = 100_000;
  for (let round = 0; round < rounds; round++) known.isIn(text);
  const started = performance.now();
  for (let round = 0; round < rounds; round++) known.isIn(text);
  expect((performance.now() - started) / rounds).toBeLessThan(0.005);
});
