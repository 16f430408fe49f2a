import { expect, test } from "vitest";
import { fileParts } from "./files.ts";

test("a patch touches each of its files", () => {
  const patchText = [
    "*** Begin Patch",
    "*** Add File: new.txt",
    "+one",
    "+two",
    "*** Update File: old.ts",
    "*** Move to: moved.ts",
    "@@ class A",
    "-a",
    "+b",
    " c",
    "*** Delete File: gone.ts",
    "*** End Patch",
  ].join("\n");
  expect(fileParts("apply_patch", { patchText }, "")).toEqual([
    {
      type: "file_ref",
      path: "new.txt",
      action: "write",
      diff: "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
    },
    {
      type: "file_ref",
      path: "moved.ts",
      action: "patch",
      diff: "--- a/old.ts\n+++ b/moved.ts\n@@ @@ class A\n-a\n+b\n c\n",
    },
    { type: "file_ref", path: "gone.ts", action: "patch", diff: "--- a/gone.ts\n+++ /dev/null\n" },
  ]);
});

test("an edit brings its diff in a fence", () => {
  const output = JSON.stringify({ diff: "```diff\n--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n```", lineRange: [1, 1] });
  expect(fileParts("edit_file", { path: "/a" }, output)).toEqual([
    { type: "file_ref", path: "/a", action: "patch", diff: "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b" },
  ]);
  expect(fileParts("edit_file", { path: "/a" }, "no JSON")).toEqual([
    { type: "file_ref", path: "/a", action: "patch" },
  ]);
});

test.each([
  ["Read", { path: "/a" }, [{ type: "file_ref", path: "/a", action: "read" }]],
  ["create_file", { path: "/a", content: "x" }, [{ type: "file_ref", path: "/a", action: "write" }]],
  ["create_file", {}, []],
  ["shell_command", { command: "ls" }, []],
])("%s with %j", (tool, input, parts) => {
  expect(fileParts(tool, input, "")).toEqual(parts);
});
