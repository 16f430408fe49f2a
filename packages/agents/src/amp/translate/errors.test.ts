import { describe, expect, test } from "vitest";
import { errorData, readable, userError } from "./errors.ts";

const exit = (message: string, code: number | null = 1, head: string | null = null, tail: string | null = null) => ({
  code,
  message,
  stderr: { head, tail, truncated: false, total_lines: null },
});

test.each([
  ["Amp has no API key", "auth_required"],
  ["401 no", "auth_invalid"],
  ["403 no", "auth_invalid"],
  ["Invalid or missing API key", "auth_invalid"],
  ["402 no", "billing_error"],
  ["Insufficient credit balance", "billing_error"],
  ["429 no", "rate_limited"],
  ["rate limit reached", "rate_limited"],
  ["529 no", "overloaded"],
  ["Overloaded", "overloaded"],
  ["400 no", "invalid_request"],
  ["got 400 no", "provider_error"],
  ["fetch failed", "connection_failed"],
  ["Thread T-1 does not exist.", "thread_not_found"],
  ["500 no", "provider_error"],
])("%s is %s", (message, code) => {
  const error = errorData(message);
  expect(error.code).toBe(code);
  expect(error.message.startsWith(message)).toBe(true);
  expect(error.message.length > message.length).toBe(/^auth_|^thread_/.test(code));
});

describe("a process that ended before its turn", () => {
  test.each([
    [exit("Invalid or missing API key"), "auth_invalid"],
    [exit("Thread T-1 does not exist."), "thread_not_found"],
    [exit("something else"), undefined],
    [exit("Invalid or missing API key", 0), undefined],
    [exit("Invalid or missing API key", null), undefined],
  ])("as %j was refused: %s", (ended, code) => {
    expect(userError(ended)?.code).toBe(code);
  });

  test.each([
    ["Error: Error: no key\n\u001b[=0u", null, "no key", "Error: Error: no key\n", null],
    ["Error: first\nnoise", "Error: last\n\u001b[0m", "last", "Error: first\nnoise", "Error: last\n"],
    ["noise", null, "exited", "noise", null],
    [null, null, "exited", "", null],
  ])("has its last error in its words: %j and %j", (head, tail, message, plainHead, plainTail) => {
    expect(readable(exit("\u001b[31mexited\u001b[0m", 1, head, tail))).toEqual(exit(message, 1, plainHead, plainTail));
  });
});
