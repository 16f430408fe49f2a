/** Items as the parts of a message. Pure: the same items give the same parts, whether read from the log or followed. */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentPart, TranscriptItem } from "@sandbox-agent/schema";
import { type Conversation, type Exchange, itemsOf } from "./conversation.ts";
import { answerId, partId, userPartId } from "./ids.ts";
import { callOf, resultOf, stateWithoutOutput, toolName, toolState } from "./tools.ts";
import type { Part, ToolPart } from "./wire.ts";

/** The message that the parts belong to. */
interface Owner {
  sessionID: string;
  messageID: string;
}

/** The parts of a message of the user. */
export function userParts(sessionID: string, messageID: string, content: readonly ContentPart[]): Part[] {
  return content.flatMap((part, index): Part[] => {
    const owner = { id: userPartId(messageID, index), sessionID, messageID };
    if (part.type === "text") return [{ ...owner, type: "text", text: part.text }];
    const file = fileOf(part);
    return file ? [{ ...owner, type: "file", ...file }] : [];
  });
}

/** The parts of an item in the answer of its exchange. A result is shown in the part of its call. */
export function itemParts(
  sessionID: string,
  conversation: Conversation,
  exchange: Exchange,
  item: TranscriptItem,
  known?: Links,
): Part[] {
  const owner = { sessionID, messageID: answerId(exchange.messageId) };
  if (item.kind === "message") return messageParts(owner, item, timesOf(conversation, item));
  if (item.kind !== "tool_call" && item.kind !== "tool_result")
    return [noticePart(owner, item, timesOf(conversation, item))];
  const links = known ?? linksIn(itemsOf(conversation, exchange));
  // A result that does not name its call yet is not shown.
  const isHidden = item.kind === "tool_result" && (!resultOf(item) || callOfResult(links, item) !== null);
  return isHidden ? [] : [toolPart(owner, conversation, exchange, item, links)];
}

/** The calls and results of an exchange by the id of the call: the first call, the last result. */
export interface Links {
  calls: Map<string, TranscriptItem>;
  results: Map<string, TranscriptItem>;
}

export function linksIn(items: readonly TranscriptItem[]): Links {
  const links: Links = { calls: new Map(), results: new Map() };
  for (const item of items) {
    const call = callOf(item)?.call_id;
    const result = resultOf(item)?.call_id;
    if (call !== undefined && !links.calls.has(call)) links.calls.set(call, item);
    if (result !== undefined) links.results.set(result, item);
  }
  return links;
}

/** The call a result belongs to, if it is in the same exchange. */
export function callOfResult({ calls }: Links, result: TranscriptItem): TranscriptItem | null {
  const callId = resultOf(result)?.call_id;
  return (callId !== undefined && calls.get(callId)) || null;
}

function messageParts(owner: Owner, item: TranscriptItem, { start, end }: Times): Part[] {
  const time = { start, ...(end !== null && { end }) };
  return item.content.flatMap((part, index): Part[] => {
    const own = { id: partId(item, index), ...owner };
    if (part.type === "text") return [{ ...own, type: "text", text: part.text, time }];
    if (part.type === "reasoning") return [{ ...own, type: "reasoning", text: part.text, time }];
    if (part.type === "json") return [{ ...own, type: "text", text: fenced(part.json), time }];
    const file = fileOf(part);
    return file ? [{ ...own, type: "file", ...file }] : [];
  });
}

function toolPart(
  owner: Owner,
  conversation: Conversation,
  exchange: Exchange,
  item: TranscriptItem,
  { results }: Links,
): ToolPart {
  const call = callOf(item);
  const callID = call?.call_id ?? resultOf(item)?.call_id ?? item.item_id;
  const result = call ? (results.get(callID) ?? null) : item;
  const { start, end } = timesOf(conversation, item);
  const over = result ? timesOf(conversation, result).end : null;
  // An agent may never report a result; the call then ends with its turn.
  const failedAtOnce = item.status === "failed" ? end : null;
  const state = toolState({ call: item, result, start, end: over ?? failedAtOnce ?? exchange.endedAt });
  return { id: partId(item, 0), ...owner, type: "tool", callID, tool: toolName(call?.name ?? "tool"), state };
}

/** OpenCode has no part for notices. A tool part shows as one line and is not confused with the answer. */
function noticePart(owner: Owner, item: TranscriptItem, { start, end }: Times): ToolPart {
  const input = Object.assign({}, ...item.content.map(noticeField));
  const state = stateWithoutOutput(input, start, end);
  return { id: partId(item, 0), ...owner, type: "tool", callID: item.item_id, tool: item.kind, state };
}

function noticeField(part: ContentPart): Record<string, unknown> {
  if (part.type === "status") return { label: part.label, ...(part.detail && { detail: part.detail }) };
  if (part.type === "text") return { text: part.text };
  return part.type === "json" ? { json: JSON.stringify(part.json) } : {};
}

interface Times {
  start: number;
  end: number | null;
}

function timesOf({ times }: Conversation, { item_id }: TranscriptItem): Times {
  return times.get(item_id) ?? { start: 0, end: null };
}

function fileOf(part: ContentPart): { mime: string; filename: string; url: string } | null {
  if (part.type !== "image" && part.type !== "file_ref") return null;
  const mime = (part.type === "image" && part.mime) || Bun.file(part.path).type || "application/octet-stream";
  return { mime, filename: basename(part.path), url: pathToFileURL(part.path).href };
}

function fenced(json: unknown): string {
  return `\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\``;
}
