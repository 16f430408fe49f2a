import { initialState, type SessionState } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { sessionInfo } from "./session-info.ts";

const state: SessionState = { ...initialState, sequence: 9, time: "2026-01-01T00:00:00.000Z" };
const record = { id: "s", spec: { agent: "mock" }, state, firstSequence: 4, createdAt: 5 };

test("a session is described by how it was created and its state", () => {
  const info = sessionInfo(record);
  expect(info).toMatchObject({
    sessionId: "s",
    agent: "mock",
    eventCount: 6,
    lastSequence: 9,
    createdAt: 5,
    updatedAt: Date.parse("2026-01-01T00:00:00.000Z"),
    directory: null,
    ended: false,
    queue: [],
  });
  for (const absent of ["mcp", "skills", "revert", "changes"]) expect(info).not.toHaveProperty(absent);
});

test("MCP servers, skills, the directory and the end are included", () => {
  const skills = { sources: [{ type: "local" as const, source: "skills" }] };
  const info = sessionInfo({
    ...record,
    spec: { agent: "mock", directory: "/work", mcp: {}, skills },
    state: { ...state, ended: { reason: "terminated", terminated_by: "daemon" } },
  });
  expect(info).toMatchObject({ directory: "/work", mcp: {}, skills, ended: true, status: "ended" });
});
