import { describe, expect, test } from "vitest";
import { decide, permissionModeOf } from "./policy.ts";

const edit = { path: "/project/a.ts", old_str: "a", new_str: "b" };
const settings = { path: "/project/.amp/settings.json", content: "{}" };

describe("a tool call", () => {
  test.each([
    ["Read", edit, "plan", "allow"],
    ["shell_command", { command: "ls" }, "default", "ask"],
    ["edit_file", edit, "default", "ask"],
    ["mcp__lab__ping", {}, "default", "ask"],
    ["shell_command", { command: "ls" }, "plan", "reject"],
    ["edit_file", edit, "plan", "reject"],
    ["edit_file", edit, "acceptEdits", "allow"],
    ["create_file", settings, "acceptEdits", "ask"],
    ["shell_command", { command: "ls" }, "acceptEdits", "ask"],
    ["shell_command", { command: "ls" }, "bypass", "allow"],
    ["a_tool_of_tomorrow", null, "default", "ask"],
  ] as const)("of %s with %j in mode %s: %s", (tool, input, mode, kind) => {
    expect(decide(tool, input, mode).kind).toBe(kind);
  });
});

test("planning, as a mode of the agent, wins over bypass", () => {
  const chosen = { model: null, variant: null, agentMode: "plan", permissionMode: "bypass" } as const;
  expect(permissionModeOf(chosen)).toBe("plan");
});
