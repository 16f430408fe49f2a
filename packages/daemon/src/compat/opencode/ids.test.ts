import { expect, test } from "vitest";
import { fromOpenCodeId, parseRequestId, partId, requestId, toOpenCodeId } from "./ids.ts";

test.each(["demo", "ses_1", "ses_as_x", "with / and ü", ""])(
  "session id %j is converted to OpenCode's form and back",
  (id) => {
    expect(toOpenCodeId(id)).toMatch(/^ses[\w-]*$/);
    expect(fromOpenCodeId(toOpenCodeId(id))).toBe(id);
  },
);

test("an id that OpenCode's clients accept is left as it is", () => {
  expect(toOpenCodeId("ses_1")).toBe("ses_1");
});

test("a request is found by its id alone, and only under its own prefix", () => {
  const id = requestId("per", toOpenCodeId("demo"), 7);
  expect(parseRequestId("per", id)).toEqual({ sessionId: "demo", askedAt: 7 });
  expect(parseRequestId("que", id)).toBeNull();
  expect(parseRequestId("per", "per_nonsense")).toBeNull();
});

test("later requests and parts sort behind earlier ones", () => {
  expect(requestId("per", "ses_b", 9) < requestId("per", "ses_a", 10)).toBe(true);
  expect(partId({ sequence: 9 }, 0) < partId({ sequence: 10 }, 0)).toBe(true);
  expect(partId({ sequence: 9 }, 9) < partId({ sequence: 9 }, 10)).toBe(true);
});
