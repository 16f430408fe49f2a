import type { FileEntry } from "sandbox-agent";
import { describe, expect, test } from "vitest";
import { joinPath, parentOf, treeRows } from "./tree-rows.ts";

function entry(name: string, entryType: FileEntry["entryType"] = "file"): FileEntry {
  return { name, entryType, path: `/elsewhere/${name}`, size: 1, modified: "2026-01-01T00:00:00Z" };
}

describe("rows of the tree", () => {
  test("directories come first, with the entries of open ones below them", () => {
    const listings = new Map([
      ["/w", [entry("b.txt"), entry("src", "directory"), entry("a.txt")]],
      ["/w/src", [entry("main.ts")]],
    ]);
    const rows = treeRows("/w", new Set(["/w/src"]), listings);
    expect(rows.map(({ path, depth, open }) => [path, depth, open])).toEqual([
      ["/w/src", 0, true],
      ["/w/src/main.ts", 1, false],
      ["/w/a.txt", 0, false],
      ["/w/b.txt", 0, false],
    ]);
  });

  test("a directory that links to its own parent is shown as deep as it was opened", () => {
    const listings = new Map([
      ["/w", [entry("loop", "directory")]],
      ["/w/loop", [entry("loop", "directory")]],
    ]);
    expect(treeRows("/w", new Set(["/w/loop"]), listings).map(({ path }) => path)).toEqual(["/w/loop", "/w/loop/loop"]);
  });

  test("paths at the root", () => {
    expect(joinPath("/", "etc")).toBe("/etc");
    expect(parentOf("/etc")).toBe("/");
  });
});
