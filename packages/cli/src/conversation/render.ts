/**
 * Renders events as text. The agent's answer and everything else go to different outputs, so that
 * `sandbox-agent run … > answer.txt` contains only the answer.
 */
import {
  type ContentPart,
  type EventOf,
  todosOf,
  type UniversalEvent,
  type UniversalItem,
  type Usage,
} from "@sandbox-agent/schema";
import { formatDiff, formatTodos, shorten } from "./format.ts";
import type { Style } from "./style.ts";

export interface Output {
  /** The agent's answer. */
  answer(text: string): void;
  /** Everything else. */
  note(text: string): void;
}

export interface RenderOptions {
  /** Whether to show user messages. Not needed for messages typed in this terminal. */
  users: boolean;
}

const maxOutputLines = 12;

export function createRenderer(output: Output, style: Style, { users }: RenderOptions) {
  /** Items whose text is arriving. */
  const open = new Map<string, { item: UniversalItem; streamed: boolean }>();
  /** The output whose last line is incomplete; it is ended before other output. */
  let unfinished: "answer" | "notes" | null = null;

  function finishLine(): void {
    if (unfinished === "answer") output.answer("\n");
    if (unfinished === "notes") output.note("\n");
    unfinished = null;
  }

  function stream(kind: "answer" | "notes", text: string, shown: string): void {
    if (text === "") return;
    if (unfinished !== kind) finishLine();
    if (kind === "answer") output.answer(shown);
    else output.note(shown);
    unfinished = text.endsWith("\n") ? null : kind;
  }

  function line(text: string): void {
    finishLine();
    output.note(`${text}\n`);
  }

  function delta({ data }: EventOf<"item.delta">): void {
    const entry = open.get(data.item_id);
    if (!entry || entry.item.role === "user") return;
    const kind = entry.item.content.at(-1)?.type;
    if (entry.item.kind === "tool_call") return;
    entry.streamed = true;
    if (entry.item.kind === "message" && kind !== "reasoning" && entry.item.parent_id === null)
      return stream("answer", data.delta, data.delta);
    stream("notes", data.delta, style.dim(data.delta));
  }

  function completed(item: UniversalItem): void {
    const streamed = open.get(item.item_id)?.streamed ?? false;
    open.delete(item.item_id);
    if (item.role === "user") return showUserMessage(item);
    if (streamed) finishLine();
    for (const part of item.content) show(part, item, streamed);
  }

  function showUserMessage({ content }: UniversalItem): void {
    if (!users) return;
    for (const part of content) if (part.type === "text") line(style.bold(`> ${part.text}`));
  }

  function show(part: ContentPart, item: UniversalItem, streamed: boolean): void {
    if (part.type === "tool_call") return line(`${style.cyan(part.name)} ${style.dim(shorten(part.arguments, 200))}`);
    if (part.type === "tool_result") return result(part.output, item.status === "failed", streamed);
    if (part.type === "file_ref") return line(part.diff ? formatDiff(part.diff, style) : `${part.action} ${part.path}`);
    if (part.type === "status") return line(style.dim([part.label, part.detail].filter(Boolean).join(": ")));
    if (part.type === "image") return line(style.dim(`image ${part.path}`));
    if (part.type === "json") return todos(part);
    if (streamed || part.text === "") return;
    if (part.type === "text") return stream("answer", part.text, part.text);
    stream("notes", part.text, style.dim(part.text));
  }

  function result(text: string, failed: boolean, streamed: boolean): void {
    if (failed) line(style.red("failed"));
    if (streamed || text.trim() === "") return;
    const lines = text.trimEnd().split("\n");
    const more = lines.length - maxOutputLines;
    line(style.dim(lines.slice(0, maxOutputLines).join("\n")));
    if (more > 0) line(style.dim(`… ${more} more lines`));
  }

  function todos(part: ContentPart): void {
    const list = todosOf(part);
    if (list) line(style.dim(formatTodos(list)));
  }

  function showPermission({ action, metadata }: EventOf<"permission.requested">["data"]): void {
    const details = metadata ? style.dim(shorten(JSON.stringify(metadata), 300)) : "";
    line(`${style.yellow(`permission requested: ${action}`)} ${details}`.trimEnd());
  }

  function turnEnded({ metadata }: EventOf<"turn.ended">["data"]): void {
    const reason = metadata?.reason ?? "completed";
    if (reason !== "completed") line(style.yellow(`[turn ${reason}]`));
    const cost = metadata?.usage && usageText(metadata.usage);
    if (cost) line(style.dim(cost));
    finishLine();
  }

  return function render(event: UniversalEvent): void {
    switch (event.type) {
      case "item.started":
        open.set(event.data.item.item_id, { item: event.data.item, streamed: false });
        return;
      case "item.delta":
        return delta(event);
      case "item.completed":
        return completed(event.data.item);
      case "permission.requested":
        return showPermission(event.data);
      case "permission.resolved":
        return line(style.dim(`permission ${event.data.status}: ${event.data.action}`));
      case "question.resolved":
        return line(style.dim(`question ${event.data.status}: ${event.data.response ?? event.data.prompt}`));
      case "error":
        return line(style.red(`error: ${event.data.message}${event.data.code ? ` (${event.data.code})` : ""}`));
      case "turn.ended":
        return turnEnded(event.data);
      case "session.ended":
        return line(style.yellow(`[session ended: ${event.data.message ?? event.data.reason}]`));
    }
  };
}

function usageText({ input_tokens, output_tokens, cost_usd }: Usage): string {
  const parts = [
    input_tokens == null ? "" : `${input_tokens} tokens in`,
    output_tokens == null ? "" : `${output_tokens} out`,
    cost_usd == null ? "" : `$${cost_usd.toFixed(4)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
