import { describe, expect, test } from "vitest";
import * as z from "zod";
import { booleanQuery, integerQuery, listQuery } from "./query.ts";

describe("a query value", () => {
  test("for a whole number becomes that number", () => {
    expect(integerQuery().parse("42")).toBe(42);
  });

  test.each(["", "-1", "1.5", "1e3", " 1", "abc", "0x10", "9".repeat(16)])("for a whole number is not %j", (text) => {
    expect(integerQuery().safeParse(text).success).toBe(false);
  });

  test.each([
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ])("for a boolean may be %s", (text, value) => {
    expect(booleanQuery().parse(text)).toBe(value);
  });

  test.each(["", "yes", "TRUE"])("for a boolean is not %j", (text) => {
    expect(booleanQuery().safeParse(text).success).toBe(false);
  });

  test("for a list holds words separated by commas", () => {
    expect(listQuery(z.enum(["a", "b"])).parse("b,a")).toEqual(["b", "a"]);
  });

  test.each(["", "a,", "c"])("for a list of a and b is not %j", (text) => {
    expect(listQuery(z.enum(["a", "b"])).safeParse(text).success).toBe(false);
  });
});
