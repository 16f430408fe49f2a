/**
 * What a translator makes of a recording, as lines that people can read and compare: one for each event, with all of its
 * data but ids and times of the daemon and the agent's own message. Deltas of an item that follow each other share a line.
 */
import type { UniversalEvent } from "@sandbox-agent/schema";

const longestText = 120;

export function translationOutline(events: readonly UniversalEvent[]): string[] {
  const lines: string[] = [];
  let deltas: { item: string; texts: string[] } | null = null;
  const flush = () => {
    if (deltas) lines.push(`item.delta ${deltas.item} ${compact(deltas.texts)}`);
    deltas = null;
  };
  for (const event of events) {
    if (event.type === "item.delta" && deltas?.item === event.data.item_id) {
      deltas.texts.push(event.data.delta);
      continue;
    }
    flush();
    if (event.type === "item.delta") deltas = { item: event.data.item_id, texts: [event.data.delta] };
    else if (!isClients(event)) lines.push(lineOf(event));
  }
  flush();
  return lines;
}

/** The message of the client is no work of the translator. */
function isClients(event: UniversalEvent): boolean {
  if (event.type === "item.started" || event.type === "item.completed") {
    return event.data.item.role === "user" && event.synthetic;
  }
  return event.type === "session.started";
}

function lineOf(event: UniversalEvent): string {
  const made = event.synthetic ? " (daemon)" : "";
  if (event.type !== "item.started" && event.type !== "item.completed") {
    return `${event.type}${made} ${compact(event.data)}`;
  }
  const { item_id, parent_id, kind, role, status, native_item_id, content } = event.data.item;
  const parent = parent_id === null ? "" : ` in ${parent_id}`;
  const name = `${event.type}${made} ${item_id}${parent} ${kind} ${role} ${status} ${native_item_id}`;
  return content.length === 0 ? name : `${name} ${compact(content)}`;
}

/** JSON in which long texts are cut in the middle. */
function compact(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== "string" || part.length <= longestText) return part;
    return `${part.slice(0, longestText / 2)}…${part.length} characters…${part.slice(-longestText / 4)}`;
  });
}
