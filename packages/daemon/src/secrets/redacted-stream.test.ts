import { describe, expect, test } from "vitest";
import { KnownSecrets } from "./known-secrets.ts";
import { RedactedStream } from "./redacted-stream.ts";

const secret = "sk-ant-0123456789abcdef";

function pass(pieces: readonly string[], known = [secret]): { passed: string[]; text: string } {
  const stream = new RedactedStream(new KnownSecrets(known));
  const passed = pieces.map((piece) => stream.push(piece));
  return { passed, text: passed.join("") + stream.end() };
}

test.each(["hello world", "as", "sky", "ask", "s", ""])("%j passes at once", (text) => {
  expect(pass([text]).passed).toEqual([text]);
});

describe("a secret that is split", () => {
  const whole = `key: ${secret} and ${secret}.`;

  test("at any place", () => {
    for (let at = 0; at <= whole.length; at++) {
      const { text } = pass([whole.slice(0, at), whole.slice(at)]);
      expect(text.replace(/sk-?(?=\[)|s(?=\[)/g, "")).toBe("key: [redacted] and [redacted].");
    }
  });

  test("in pieces of any length shows at most three of its characters", () => {
    for (let length = 1; length < 12; length++) {
      const pieces = whole.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
      const { text } = pass(pieces);
      expect(text).not.toContain("sk-a");
      expect(text.replace(/s?k?-?\[redacted\]/g, "*")).toBe("key: * and *.");
    }
  });

  test("between others that begin alike", () => {
    const other = "sk-ant-0123456789xxxxxx";
    expect(pass(["<sk-ant-01", "23456789", "xxxxxx>"], [secret, other]).text).toBe("<[redacted]>");
  });
});

describe("what only begins like a secret", () => {
  test("passes with the next piece", () => {
    expect(pass(["the prefix sk-ant-", "api is known"])).toEqual({
      passed: ["the prefix ", "sk-ant-api is known"],
      text: "the prefix sk-ant-api is known",
    });
  });

  test("passes at the end", () => {
    expect(pass(["the prefix sk-ant-"])).toEqual({ passed: ["the prefix "], text: "the prefix sk-ant-" });
  });

  test("but is most of it at the end does not", () => {
    expect(pass([`cut: ${secret.slice(0, -2)}`]).text).toBe("cut: [redacted]");
  });

  test("is not lost when another beginning follows in it", () => {
    expect(pass(["sk-ant-sk-ant-", "sk-ant-0123456789abcdef!"]).text).toBe("sk-ant-sk-ant-[redacted]!");
  });
});
