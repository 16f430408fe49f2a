import { expect, test } from "vitest";
import { creationDiff, unifiedDiff } from "./diff.ts";

test("hunks become a unified diff", () => {
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" alpha", "-beta", "+gamma"] };
  expect(unifiedDiff("/w/notes.txt", [hunk])).toBe(
    "--- a/w/notes.txt\n+++ b/w/notes.txt\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+gamma\n",
  );
});

test.each([
  ["one\ntwo\n", "@@ -0,0 +1,2 @@\n+one\n+two\n"],
  ["one", "@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file\n"],
])("a new file %j is all additions", (content, body) => {
  expect(creationDiff("/w/new.txt", content)).toBe(`--- /dev/null\n+++ b/w/new.txt\n${body}`);
});

test("an empty new file has no hunk", () => {
  expect(creationDiff("/w/new.txt", "")).toBe("--- /dev/null\n+++ b/w/new.txt\n");
});
