/** Results of Claude Code's tools, in all the shapes that they come in. */
import { describe, expect, test } from "vitest";
import { createToolCalls } from "./tools.ts";

const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] };
const patched = "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+b\n";

/** The content of the result of one call. */
function resultOf(name: string, input: unknown, content: unknown, detail?: unknown, is_error?: boolean) {
  const tools = createToolCalls();
  tools.onCall({ type: "tool_use", id: "t", name, input }, null, {});
  const [draft] = tools.onResult({ type: "tool_result", tool_use_id: "t", content, is_error }, detail, null, {});
  return draft?.type === "item.completed" ? { failed: draft.failed, parts: draft.item.content ?? [] } : null;
}

describe("the output", () => {
  test.each([
    ["text", "text"],
    [undefined, ""],
    [null, ""],
    [{ strange: 1 }, '{"strange":1}'],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    [[{ type: "tool_reference", tool_name: "x" }], '{"type":"tool_reference","tool_name":"x"}'],
    [[{ type: "image", source: { type: "base64", media_type: "image/gif", data: "AA" } }], ""],
  ])("of %j is %j", (content, output) => {
    expect(resultOf("Bash", {}, content)?.parts[0]).toEqual({ type: "tool_result", call_id: "t", output });
  });

  test.each([
    [{ file_path: "/a.gif" }, { media_type: "image/gif", data: "AA" }, "/a.gif", "image/gif"],
    [{}, { media_type: "image/gif", data: "AA" }, "data:image/gif;base64,AA", "image/gif"],
    [{}, { data: "AA" }, "data:image/png;base64,AA", "image/png"],
    [{}, { media_type: "image/gif" }, "data:image/gif;base64,", "image/gif"],
  ])("of a call with %j and an image %j is the image at %s", (input, source, path, mime) => {
    const content = [{ type: "text", text: "seen" }, { type: "image", source }, { type: "image" }];
    expect(resultOf("mcp__tool", input, content)?.parts.slice(1)).toEqual([{ type: "image", path, mime }]);
  });

  test("of a call that nobody saw is there all the same", () => {
    const [draft] = createToolCalls().onResult({ type: "tool_result", tool_use_id: "t", content: "x" }, null, "p", {});
    expect(draft).toMatchObject({
      failed: false,
      item: { native_item_id: "t:result", native_parent_id: "p", content: [{ call_id: "t", output: "x" }] },
    });
  });
});

describe("the file", () => {
  test.each([
    ["Write", { file_path: "/f", content: "b\n" }, { filePath: "/f", structuredPatch: [hunk] }, "patch", patched],
    [
      "Write",
      { file_path: "/f" },
      { type: "create", filePath: "/f", content: "b\n", structuredPatch: [] },
      "write",
      "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+b\n",
    ],
    [
      "Write",
      { file_path: "/f", content: "c\n" },
      { type: "create", filePath: "/f" },
      "write",
      "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+c\n",
    ],
    ["Write", { file_path: "/f" }, { type: "create", filePath: "/f" }, "write", "--- /dev/null\n+++ b/f\n"],
    ["Write", { file_path: "/f", content: "b\n" }, { type: "update", filePath: "/f" }, "write", undefined],
    ["Write", { file_path: "/f", content: "b\n" }, undefined, "write", undefined],
    ["Edit", { file_path: "/f" }, { filePath: "/f", structuredPatch: [hunk] }, "patch", patched],
    ["Edit", { file_path: "/other" }, { filePath: "/f" }, "patch", undefined],
    ["MultiEdit", { file_path: "/f" }, undefined, "patch", undefined],
    ["NotebookEdit", { notebook_path: "/f" }, undefined, "patch", undefined],
    ["Read", { file_path: "/f" }, undefined, "read", undefined],
  ])("of %s %j, reported as %j: %s", (name, input, detail, action, diff) => {
    const expected = { type: "file_ref", path: "/f", action, ...(diff && { diff }) };
    expect(resultOf(name, input, "done", detail)?.parts.slice(1)).toEqual([expected]);
  });

  test.each(["Write", "Edit", "Read", "Bash"])("is none for %s without a path", (name) => {
    expect(resultOf(name, {}, "done")?.parts).toHaveLength(1);
  });

  test("is none when the call failed", () => {
    expect(resultOf("Read", { file_path: "/f" }, "no such file", undefined, true)).toEqual({
      failed: true,
      parts: [{ type: "tool_result", call_id: "t", output: "no such file" }],
    });
  });
});

test("a list of todos follows the call that changed it, unless that failed", () => {
  const tools = createToolCalls();
  const todos = [{ content: "one", status: "completed" }];
  const types = (is_error: boolean) => {
    tools.onCall({ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }, null, {});
    const block = { type: "tool_result", tool_use_id: "t", content: "", is_error } as const;
    return tools.onResult(block, null, null, {}).map((draft) => draft.type === "item.completed" && draft.item.kind);
  };
  expect(types(false)).toEqual(["tool_result", "status"]);
  expect(types(true)).toEqual(["tool_result"]);
});

test.each([
  [{ plan: "first this" }, ["tool_call", "status"]],
  [{}, ["tool_call"]],
])("the plan %j of ExitPlanMode is shown", (input, kinds) => {
  const drafts = createToolCalls().onCall({ type: "tool_use", id: "t", name: "ExitPlanMode", input }, null, {});
  expect(drafts.map((draft) => draft.type === "item.completed" && draft.item.kind)).toEqual(kinds);
});
