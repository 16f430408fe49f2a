import type { ContentPart, UniversalItem } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { ToolMemory } from "./tool-memory.ts";

function call(callId: string, input: unknown): UniversalItem {
  return item("tool_call", [{ type: "tool_call", name: "tool", arguments: JSON.stringify(input), call_id: callId }]);
}

function result(callId: string, ...more: ContentPart[]): UniversalItem {
  return item("tool_result", [{ type: "tool_result", call_id: callId, output: "" }, ...more]);
}

function item(kind: "tool_call" | "tool_result", content: ContentPart[]): UniversalItem {
  return { item_id: "i", native_item_id: null, parent_id: null, kind, role: null, status: "completed", content };
}

function callBehind(tools: ToolMemory, path: string): string | undefined {
  return tools.attribute([{ path, kind: "modified" }])[0]?.call_id;
}

describe("a change", () => {
  test("has no call id when no tool has run", () => {
    expect(callBehind(new ToolMemory(), "a")).toBeUndefined();
  });

  test("is attributed to the only running tool", () => {
    const tools = new ToolMemory();
    tools.observe(call("1", { command: "make" }), true);
    tools.observe(result("1"), true);
    tools.observe(call("2", { command: "make test" }), true);
    expect(callBehind(tools, "a")).toBe("2");
  });

  test("is attributed to the last tool when none is running", () => {
    const tools = new ToolMemory();
    tools.observe(call("1", { command: "make" }), true);
    tools.observe(result("1"), true);
    expect(callBehind(tools, "a")).toBe("1");
  });

  test("has no call id when several tools are running", () => {
    const tools = new ToolMemory();
    tools.observe(call("1", { command: "make" }), true);
    tools.observe(call("2", { command: "make test" }), true);
    expect(callBehind(tools, "a")).toBeUndefined();
  });

  test("is attributed to the tool that mentions its path", () => {
    const tools = new ToolMemory();
    tools.observe(call("1", { file_path: '/project/src/"a".ts' }), true);
    tools.observe(call("2", { command: "make" }), true);
    expect(callBehind(tools, 'src/"a".ts')).toBe("1");
  });

  test("is attributed to the tool whose result refers to the written file", () => {
    const tools = new ToolMemory();
    tools.observe(call("1", {}), true);
    tools.observe(call("2", {}), true);
    tools.observe(result("1", { type: "file_ref", path: "/project/a.ts", action: "patch" }), false);
    expect(callBehind(tools, "a.ts")).toBe("1");
  });

  test("is attributed to one of a limited number of tools", () => {
    const tools = new ToolMemory();
    for (let number = 0; number < 100; number += 1)
      tools.observe(call(`${number}`, { path: `file-${number}.ts` }), true);
    expect([callBehind(tools, "file-0.ts"), callBehind(tools, "file-99.ts")]).toEqual([undefined, "99"]);
  });
});

describe("a path", () => {
  test.each([
    ["at the end of an absolute one", { path: "/project/src/a.ts" }, true],
    ["in a command", { command: "cat x > src/a.ts && make" }, true],
    ["after a line break", { command: "make\nsrc/a.ts" }, true],
    ["as the beginning of another", { command: "touch src/a.tsx" }, false],
    ["as the end of another", { command: "touch my-src/a.ts" }, false],
    ["as a directory", { command: "touch src/a.ts/b" }, false],
  ])("%s is found only where it is meant", (_, input, isFound) => {
    const tools = new ToolMemory();
    tools.observe(call("named", input), true);
    tools.observe(call("other", {}), true);
    expect(callBehind(tools, "src/a.ts")).toBe(isFound ? "named" : undefined);
  });
});
