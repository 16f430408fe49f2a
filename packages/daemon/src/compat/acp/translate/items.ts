/**
 * Converts items to ACP updates: live, from the events of an item, or complete, when a session is loaded. Pure. An item
 * is a tool call, its result, or a message; ACP has one object for a call and its result, identified by the call id.
 */
import type { ContentChunk, PlanEntryStatus, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { type ContentPart, type OpenItem, textOf, todosOf, type UniversalItem } from "@sandbox-agent/schema";
import { parseJson } from "../../../parse-json.ts";
import { contentBlock, toolContent } from "./content.ts";
import { toolFace } from "./tool.ts";

type CallPart = Extract<ContentPart, { type: "tool_call" }>;

/** What the client can show, from its capabilities. */
export interface Audience {
  notices: boolean;
}

export function startedUpdates(item: UniversalItem, audience: Audience): SessionUpdate[] {
  switch (item.kind) {
    case "message":
      // A user's message is complete when it starts.
      return item.role === "user" ? item.content.flatMap((part) => partUpdates(item, part)) : [];
    case "tool_call":
      return item.content.flatMap((part) =>
        part.type === "tool_call" ? [{ sessionUpdate: "tool_call", status: "pending", ...callFields(item, part) }] : [],
      );
    case "status":
      return statusUpdates(item, audience);
    default:
      return [];
  }
}

export function deltaUpdates({ item }: OpenItem, delta: string): SessionUpdate[] {
  if (item.kind !== "message" || item.role === "user") return [];
  return [chunk(item, streamedPart(item), { type: "text", text: delta })];
}

/** `open` is the item's earlier state; null when it is sent complete. */
export function completedUpdates(item: UniversalItem, open: OpenItem | null, audience: Audience): SessionUpdate[] {
  switch (item.kind) {
    case "message": {
      if (item.role === "user") return open ? [] : startedUpdates(item, audience);
      const streamed = open?.hasDelta ? streamedPart(open.item) : null;
      return item.content.filter(({ type }) => type !== streamed).flatMap((part) => partUpdates(item, part));
    }
    case "tool_call":
      return item.content.flatMap((part) => (part.type === "tool_call" ? [callCompleted(item, part, open)] : []));
    case "tool_result":
      return resultUpdates(item);
    case "status":
      return statusUpdates(item, audience);
    case "system":
      return notice(audience, textOf(item.content));
    default:
      return [];
  }
}

/** Deltas extend the last part that an item started with; without parts they are text. */
function streamedPart({ content }: UniversalItem): "text" | "reasoning" {
  return content.at(-1)?.type === "reasoning" ? "reasoning" : "text";
}

function partUpdates(item: UniversalItem, part: ContentPart): SessionUpdate[] {
  const block = contentBlock(part);
  if (!block || (block.type === "text" && block.text === "")) return [];
  return [chunk(item, part.type, block)];
}

/** Messages of a subagent are sent as thoughts, because they are not the answer. */
function chunk(item: UniversalItem, part: ContentPart["type"], content: ContentChunk["content"]): SessionUpdate {
  const fields = { content, messageId: item.item_id, ...meta(item) };
  if (item.role === "user") return { sessionUpdate: "user_message_chunk", ...fields };
  const isThought = part === "reasoning" || item.parent_id !== null;
  return { sessionUpdate: isThought ? "agent_thought_chunk" : "agent_message_chunk", ...fields };
}

function callFields(item: UniversalItem, { name, arguments: text, call_id }: CallPart) {
  const parsed = parseJson(text);
  // Arguments that are still streaming are not valid JSON.
  const rawInput = parsed === undefined ? text : parsed;
  return { toolCallId: call_id, name, rawInput, ...toolFace(name, rawInput), ...meta(item) };
}

function callCompleted(item: UniversalItem, part: CallPart, open: OpenItem | null): SessionUpdate {
  const status = item.status === "failed" ? "failed" : "in_progress";
  const fields = { status, ...callFields(item, part) } as const;
  return open ? { sessionUpdate: "tool_call_update", ...fields } : { sessionUpdate: "tool_call", ...fields };
}

function resultUpdates(item: UniversalItem): SessionUpdate[] {
  const result = item.content.find((part) => part.type === "tool_result");
  if (!result) return [];
  const paths = item.content.flatMap((part) => (part.type === "file_ref" ? [part.path] : []));
  return [
    {
      sessionUpdate: "tool_call_update",
      toolCallId: result.call_id,
      status: item.status === "failed" ? "failed" : "completed",
      content: toolContent(item.content),
      rawOutput: result.output,
      ...(paths.length > 0 && { locations: [...new Set(paths)].map((path) => ({ path })) }),
    },
  ];
}

function statusUpdates(item: UniversalItem, audience: Audience): SessionUpdate[] {
  const todos = item.content.map(todosOf).find((list) => list !== null);
  if (todos) {
    const entries = todos.map(({ content, status }) => ({
      content,
      priority: "medium" as const,
      status: entryStatus(status),
    }));
    return [{ sessionUpdate: "plan", entries }];
  }
  const status = item.content.find((part) => part.type === "status");
  return status ? notice(audience, status.label, status.detail) : [];
}

function entryStatus(status: string): PlanEntryStatus {
  if (status === "completed" || status === "in_progress") return status;
  return status === "cancelled" ? "completed" : "pending";
}

function notice({ notices }: Audience, title: string, description?: string | null): SessionUpdate[] {
  if (!notices || title === "") return [];
  return [{ sessionUpdate: "notice", severity: "info", title, ...(description && { description }) }];
}

function meta({ parent_id }: UniversalItem) {
  return parent_id === null ? {} : { _meta: { sandboxagent: { parentItemId: parent_id } } };
}
