/**
 * Parses payloads of the event stream. The result is a supported event, an ignored one, one of an unknown type, or one that
 * does not match the schema of its type.
 */
import { stringAt, valueAt } from "../../json.ts";
import { eventSchemas, type NativeEvent } from "../generated/api.ts";

export type Reading =
  | { kind: "event"; event: NativeEvent }
  | { kind: "ignored" }
  | { kind: "unknown"; type: string }
  | { kind: "unparsed"; type: string; error: string };

/** State of the server, the project and the editor, which is not part of a conversation. */
const ignoredGroups = [
  "catalog",
  "file",
  "ide",
  "installation",
  "integration",
  "lsp",
  "mcp",
  "models-dev",
  "plugin",
  "project",
  "pty",
  "reference",
  "server",
  "tui",
  "vcs",
  "workspace",
  "worktree",
];

/** Events without new information: titles, sums, undone messages; `sync` repeats every change. */
const ignoredTypes = new Set([
  "command.executed",
  "message.part.removed",
  "message.removed",
  "session.diff",
  "session.updated",
  "sync",
]);

export function readEvent(payload: unknown): Reading {
  const type = stringAt(payload, "type");
  if (type === null) return { kind: "unparsed", type: "?", error: "an event without a type" };
  if (isEventType(type)) {
    const parsed = eventSchemas[type].safeParse(payload);
    if (parsed.success) return { kind: "event", event: parsed.data };
    return {
      kind: "unparsed",
      type,
      error: parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    };
  }
  const [group = ""] = type.split(".");
  if (ignoredTypes.has(type) || ignoredGroups.includes(group)) return { kind: "ignored" };
  return { kind: "unknown", type };
}

/** The native session of an event, if it has one. */
export function sessionOf(payload: unknown): string | null {
  return stringAt(payload, "properties", "sessionID");
}

/** The parent session, if the event announces the session of a subagent. */
export function parentOfCreated(payload: unknown): string | null {
  return valueAt(payload, "type") === "session.created" ? stringAt(payload, "properties", "info", "parentID") : null;
}

function isEventType(type: string): type is keyof typeof eventSchemas {
  return Object.hasOwn(eventSchemas, type);
}
