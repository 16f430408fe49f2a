import { expect, test } from "vitest";
import { hunksByFile } from "./split-diff.ts";

test("each file has its hunks; a file without changed lines has none; content that looks like a header is not one", () => {
  const diff = `diff --git a/one.txt b/one.txt
index 1..2 100644
--- a/one.txt
+++ b/one.txt
@@ -1,2 +1,2 @@
-diff --git a/x b/x
+@@ -9 +9 @@
 diff --git
@@ -8 +8 @@
-a
+b
diff --git a/old b/new
similarity index 100%
rename from old
rename to new
diff --git a/three.txt b/three.txt
--- /dev/null
+++ b/three.txt
@@ -0,0 +1 @@
+new
`;
  expect(hunksByFile(diff)).toEqual([
    "@@ -1,2 +1,2 @@\n-diff --git a/x b/x\n+@@ -9 +9 @@\n diff --git\n@@ -8 +8 @@\n-a\n+b\n",
    "",
    "@@ -0,0 +1 @@\n+new\n",
  ]);
});
