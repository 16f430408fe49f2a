import { describe, expect, test } from "vitest";
import { afterPlan, decide, nativeAgent } from "./modes.ts";

describe("the agent that answers", () => {
  test.each([
    ["build", "default", "build"],
    ["plan", "default", "plan"],
    ["reviewer", "bypass", "reviewer"],
    ["build", "plan", "plan"],
    ["custom", "default", undefined],
  ] as const)("%s with %s is %s", (agentMode, permissionMode, agent) => {
    expect(nativeAgent({ agentMode, permissionMode })).toBe(agent);
  });
});

describe("a permission request", () => {
  test.each([
    ["default", "bash", "ask"],
    ["default", "edit", "ask"],
    ["acceptEdits", "edit", "allow"],
    ["acceptEdits", "bash", "ask"],
    ["bypass", "bash", "allow"],
    ["plan", "edit", "reject"],
    ["plan", "bash", "ask"],
  ] as const)("in %s for %s: %s", (permissionMode, permission, decision) => {
    expect(decide({ agentMode: "build", permissionMode }, permission)).toBe(decision);
  });

  test("the plan agent edits nothing in any mode", () => {
    expect(decide({ agentMode: "plan", permissionMode: "bypass" }, "edit")).toBe("reject");
  });
});

test("an approved plan leaves the plan modes", () => {
  expect(afterPlan({ agentMode: "plan", permissionMode: "plan" }, true)).toEqual({
    agentMode: "build",
    permissionMode: "acceptEdits",
  });
  expect(afterPlan({ agentMode: "reviewer", permissionMode: "plan" }, false)).toEqual({
    agentMode: "reviewer",
    permissionMode: "default",
  });
});
