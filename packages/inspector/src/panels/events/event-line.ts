/** A one-line summary of an event, and the kinds by which events can be filtered. For display only. */
import type { ContentPart, UniversalEvent } from "sandbox-agent";

export const eventKinds = ["session", "turn", "item", "delta", "request", "message", "file", "error"] as const;
export type EventKind = (typeof eventKinds)[number];

export function kindOf({ type }: UniversalEvent): EventKind {
  if (type === "item.delta") return "delta";
  if (type === "error" || type === "agent.unparsed") return "error";
  const [family] = type.split(".");
  if (family === "permission" || family === "question") return "request";
  return eventKinds.find((kind) => kind === family) ?? "error";
}

export function lineOf(event: UniversalEvent): string {
  switch (event.type) {
    case "session.started":
    case "session.updated":
    case "turn.started":
      return settings(event.data.metadata ?? {});
    case "session.ended":
      return [event.data.reason, event.data.message].filter(Boolean).join(": ");
    case "turn.ended":
      return event.data.metadata?.reason ?? "";
    case "item.started":
    case "item.completed": {
      const { kind, role, status, content } = event.data.item;
      const who = role && role !== "tool" ? `${role} ${kind}` : kind;
      return [who, status === "failed" ? "failed" : "", content.map(partLine).join(" ")].filter(Boolean).join(" · ");
    }
    case "item.delta":
      return event.data.delta;
    case "permission.requested":
    case "permission.resolved":
      return `${event.data.action} · ${event.data.status}`;
    case "question.requested":
    case "question.resolved":
      return `${event.data.prompt} · ${event.data.response ?? event.data.status}`;
    case "message.queued":
      return event.data.message;
    case "message.cancelled":
      return event.data.message_id;
    case "file.changed":
      return event.data.changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
    case "error":
      return event.data.message;
    case "agent.unparsed":
      return event.data.error;
    default:
      return JSON.stringify(Reflect.get(event, "data"));
  }
}

function settings(metadata: Record<string, unknown>): string {
  return Object.entries(metadata)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name} ${value}`)
    .join(" · ");
}

function partLine(part: ContentPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "tool_call":
      return `${part.name} ${part.arguments}`;
    case "tool_result":
      return part.output;
    case "file_ref":
      return `${part.action} ${part.path}`;
    case "status":
      return [part.label, part.detail].filter(Boolean).join(" ");
    case "image":
      return part.path;
    default:
      return "";
  }
}
