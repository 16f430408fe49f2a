/** Shared by the tests of the mock agent: a session spec, and a short form of drafts. */
import type { SessionSpec } from "../agent.ts";
import type { Draft } from "../draft.ts";

export const spec: SessionSpec = {
  sessionId: "s",
  nativeSessionId: null,
  directory: "/",
  agentMode: "build",
  permissionMode: "default",
  model: "mock",
  variant: null,
  mcp: {},
  skills: { sources: [] },
  agentVersion: null,
  env: {},
  credentials: {},
  endpoints: {},
};

export function isEnd({ type }: Draft): boolean {
  return type === "turn.ended" || type === "session.ended" || type === "agent.exited";
}

/** A draft in one line: its type and its id. */
export function line(draft: Draft): string {
  switch (draft.type) {
    case "item.started":
    case "item.completed":
      return `${draft.type} ${draft.item.native_item_id}`;
    case "item.delta":
      return `${draft.type} ${draft.native_item_id}`;
    case "permission.requested":
      return `${draft.type} ${draft.permission.permission_id}`;
    case "question.requested":
      return `${draft.type} ${draft.question.question_id}`;
    default:
      return draft.type;
  }
}
