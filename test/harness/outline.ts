/** A summary of events, one line each. */
import type { UniversalEvent } from "@sandbox-agent/schema";

export function outline(events: readonly UniversalEvent[]): string[] {
  return events.map(line);
}

function line(event: UniversalEvent): string {
  switch (event.type) {
    case "item.started":
    case "item.completed": {
      const { kind, role, status, native_item_id } = event.data.item;
      return `${event.type} ${kind} ${role ?? "-"} ${status} ${native_item_id ?? "-"}`;
    }
    case "item.delta":
      return `${event.type} ${event.data.native_item_id ?? "-"}`;
    case "permission.requested":
      return `${event.type} ${event.data.permission_id} ${event.data.action}`;
    case "permission.resolved":
      return `${event.type} ${event.data.permission_id} ${event.data.status}`;
    case "question.requested":
      return `${event.type} ${event.data.question_id}`;
    case "question.resolved":
      return `${event.type} ${event.data.question_id} ${event.data.status}`;
    case "turn.ended":
      return `${event.type} ${event.data.metadata?.reason ?? "-"}`;
    case "session.ended":
      return `${event.type} ${event.data.reason} ${event.data.terminated_by}`;
    case "error":
      return `${event.type} ${event.data.code ?? "-"}`;
    case "agent.unparsed":
      return `${event.type} ${event.data.location}`;
    case "message.queued":
      return `${event.type} ${event.data.message}`;
    default:
      return event.type;
  }
}
