/** Which addresses count as one. */
import { expect, test } from "vitest";
import { GuessLimit } from "./guess-limit.ts";

/** Whether guesses from one address make the other one wait. */
function isShared(first: string, second: string): boolean {
  const limit = new GuessLimit(() => 0);
  for (let guess = 0; guess < 30; guess += 1) limit.count(first);
  return limit.waitSeconds(second) > 0;
}

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", true],
  ["2001:db8::1:2:3:4", "2001:db8::9:8:7:6", true],
  ["2001:db8::1", "2001:db8:0:0:ffff::", true],
  ["::1", "::2", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8::1", "2001:db8:0:1::1", false],
  ["10.0.0.1", "10.0.0.2", false],
  ["::ffff:10.0.0.1", "::ffff:10.0.0.2", false],
])("guesses from %s and %s are counted together: %s", (first, second, shared) => {
  expect(isShared(first, second)).toBe(shared);
});
