import { describe, expect, test } from "vitest";
import { mockAgent } from "./mock.ts";

describe("the mock agent", () => {
  test("is always installed", async () => {
    expect(await mockAgent.inspect()).toEqual({ installed: true, credentialsAvailable: true, version: "builtin" });
  });

  test("can do everything but share a process", () => {
    const missing = Object.entries(mockAgent.capabilities).filter(([, able]) => !able);
    expect(missing).toEqual([["sharedProcess", false]]);
  });

  test("has the modes build and plan, each described", async () => {
    const modes = await mockAgent.modes();
    expect(modes.map(({ id }) => id)).toEqual(["build", "plan"]);
    expect(modes.filter(({ description }) => description === "")).toEqual([]);
  });

  test("has one model, which is the default", async () => {
    expect(await mockAgent.models()).toMatchObject({ models: [{ id: "mock" }], defaultModel: "mock" });
  });

  test("has the permission modes default, plan and bypass", () => {
    expect(mockAgent.permissionModes).toEqual(["default", "plan", "bypass"]);
  });

  test("names the user's message after the number of its turn", () => {
    expect(mockAgent.userItemId?.(7)).toBe("mock_7_user");
  });
});
