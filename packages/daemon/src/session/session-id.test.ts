import { expect, test } from "vitest";
import { isWritableId, requireSessionId } from "./session-id.ts";

test.each(["a", "with space", "ä/€?#%", "...", "x".repeat(1024)])("%j can be the id of a session", (id) => {
  expect(isWritableId(id)).toBe(true);
  expect(() => requireSessionId(id)).not.toThrow();
});

test.each(["", "  ", "a\nb", "\u007f", "\ufffd", "\ud800", "x".repeat(1025)])("%j cannot be part of a path", (id) => {
  expect(isWritableId(id)).toBe(false);
  expect(() => requireSessionId(id)).toThrow("a session id must have 1 to 1024 characters");
});

test.each([".", ".."])("%j can be an id, but not that of a session", (id) => {
  expect(isWritableId(id)).toBe(true);
  expect(() => requireSessionId(id)).toThrow("neither . nor ..");
});
