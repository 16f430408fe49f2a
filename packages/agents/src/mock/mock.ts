/**
 * The mock agent: needs no installation, no key and no model, and its commands produce every kind of event. It is the
 * reference for the order of events.
 */
import { allCapabilitiesBut } from "@sandbox-agent/schema";
import type { Agent } from "../agent.ts";
import { openMockSession } from "./session.ts";

export const mockAgent: Agent = {
  id: "mock",
  name: "Mock",
  capabilities: allCapabilitiesBut("sharedProcess"),
  permissionModes: ["default", "plan", "bypass"],
  inspect: async () => ({ installed: true, credentialsAvailable: true, version: "builtin" }),
  install: async () => {},
  modes: async () => [
    { id: "build", name: "Build", description: "Runs the command of each message" },
    { id: "plan", name: "Plan", description: "Same as build; the mock has nothing to plan" },
  ],
  models: async () => ({ models: [{ id: "mock", name: "Mock" }], defaultModel: "mock" }),
  userItemId: (turnNumber) => `mock_${turnNumber}_user`,
  open: async (spec, sink) => openMockSession(spec, sink),
};
