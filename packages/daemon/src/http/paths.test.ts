import { describe, expect, test } from "vitest";
import { pathFinder } from "./paths.ts";

const find = pathFinder({
  "/": "root",
  "/a": "a",
  "/a/:id": "one a",
  "/a/fixed": "the fixed a",
  "/a/fixed/more": "more of the fixed a",
  "/a/:id/b": "b of an a",
  "/a/:other/c/:id": "one c of an a",
  "/ui": "ui",
  "/ui/*": "below ui",
});

describe("a path", () => {
  test.each<[string, string, Record<string, string>]>([
    ["/", "root", {}],
    ["/a", "a", {}],
    ["/a/1", "one a", { id: "1" }],
    ["/a/x%2Fy", "one a", { id: "x%2Fy" }],
    ["/a/1/b", "b of an a", { id: "1" }],
    ["/a/1/c/2", "one c of an a", { other: "1", id: "2" }],
    ["/ui", "ui", {}],
    ["/ui/", "below ui", {}],
    ["/ui/one/two", "below ui", {}],
  ])("%s is %s", (path, target, params) => {
    expect(find(path)).toEqual({ target, params });
  });

  test("prefers the fixed name over a parameter", () => {
    expect(find("/a/fixed")).toEqual({ target: "the fixed a", params: {} });
  });

  test("falls back to the parameter when the fixed name has no match", () => {
    expect(find("/a/fixed/b")).toEqual({ target: "b of an a", params: { id: "fixed" } });
  });

  test.each(["", "/b", "/a/", "/a/1/", "/a//b", "//a", "/A", "/a/1/d", "/a/1/b/2", "/uix"])("%j is none", (path) => {
    expect(find(path)).toBe(null);
  });

  test("does not find properties of Object.prototype", () => {
    expect(find("/constructor")).toBe(null);
  });
});

test("without a match below, the `*` of a parent is used", () => {
  const lost = pathFinder({ "/*": "lost", "/a/:id": "one a" });
  expect(lost("/a/1/2")).toEqual({ target: "lost", params: {} });
});
