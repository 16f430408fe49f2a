/**
 * A tool call and its result as OpenCode's tool part. Its clients have special views for certain tools; names and fields
 * of other agents' tools are converted to those, everything else is passed on unchanged.
 */
import type { ContentPart, TranscriptItem } from "@sandbox-agent/schema";
import * as z from "zod";
import { parseJson } from "../../parse-json.ts";
import type { ToolPart } from "./wire.ts";

interface ToolUse {
  call: TranscriptItem;
  result: TranscriptItem | null;
  start: number;
  /** When it ended; null while it runs. */
  end: number | null;
}

const names: Record<string, string> = {
  shell: "bash",
  exec: "bash",
  command_execution: "bash",
  multiedit: "edit",
  file_change: "edit",
  web_fetch: "webfetch",
  web_search: "websearch",
  agent: "task",
  todo_write: "todowrite",
  askuserquestion: "question",
};

const basicTools = ["bash", "read", "write", "edit", "apply_patch", "glob", "grep", "list", "webfetch", "websearch"];
const toolsWithView = new Set([...basicTools, "task", "todowrite", "question", "skill"]);

/** The name under which OpenCode's clients know a tool or a permission. */
export function toolName(name: string): string {
  const lower = name.toLowerCase();
  const renamed = names[lower] ?? lower;
  return toolsWithView.has(renamed) ? renamed : name;
}

const Input = z.record(z.string(), z.unknown());
/** Limit for an output that is still growing, because each update sends it again. */
const outputTail = 16 * 1024;

type ToolState = ToolPart["state"];

export function toolState(use: ToolUse): ToolState {
  const { call, result, start, end } = use;
  const { input, raw } = inputOf(call);
  if (end === null && raw !== null) return { status: "pending", input: {}, raw };
  const output = outputOf(result);
  const metadata = metadataOf(use, input);
  if (end === null) {
    const partial = { ...metadata, output: output.slice(-outputTail) };
    return { status: "running", input, time: { start }, ...(result && { metadata: partial }) };
  }
  const time = { start, end };
  if ((result ?? call).status === "failed")
    return { status: "error", input, error: output || "the tool failed", metadata, time };
  return { status: "completed", input, output, title: titleOf(input), metadata: { ...metadata, output }, time };
}

/** The state of a tool part without output. `end` is null while it runs. */
export function stateWithoutOutput(input: Record<string, unknown>, start: number, end: number | null): ToolState {
  if (end === null) return { status: "running", input, time: { start } };
  return { status: "completed", input, output: "", title: "", metadata: {}, time: { start, end } };
}

export function callOf({ content }: Pick<TranscriptItem, "content">) {
  return content.find((part) => part.type === "tool_call") ?? null;
}

export function resultOf({ content }: Pick<TranscriptItem, "content">) {
  return content.find((part) => part.type === "tool_result") ?? null;
}

/** `raw` holds arguments that are still streaming and not valid JSON yet. */
function inputOf(call: TranscriptItem): { input: Record<string, unknown>; raw: string | null } {
  const part = callOf(call);
  if (!part) return { input: {}, raw: null };
  const parsed = Input.safeParse(parseJson(part.arguments));
  if (!parsed.success) return { input: {}, raw: call.status === "in_progress" ? part.arguments : null };
  return { input: toOpenCodeInput(toolName(part.name), parsed.data), raw: null };
}

const withFile = new Set(["read", "write", "edit"]);

/** Converts arguments to the names that OpenCode's own tools use. */
export function toOpenCodeInput(tool: string, input: Record<string, unknown>): Record<string, unknown> {
  const path = input.filePath ?? input.file_path ?? input.path;
  return {
    ...input,
    ...(withFile.has(tool) && typeof path === "string" && { filePath: path }),
    ...(Array.isArray(input.command) && { command: input.command.join(" ") }),
  };
}

function outputOf(result: TranscriptItem | null): string {
  return result?.content.flatMap((part) => (part.type === "tool_result" ? [part.output] : [])).join("\n") ?? "";
}

function metadataOf({ call, result }: ToolUse, input: Record<string, unknown>): Record<string, unknown> {
  const diffs = [...(result?.content ?? []), ...call.content].flatMap(diffIn);
  return {
    ...(diffs.length > 0 && { diff: diffs.join("\n") }),
    ...("todos" in input && { todos: input.todos }),
  };
}

function diffIn(part: ContentPart): string[] {
  return part.type === "file_ref" && part.diff ? [part.diff] : [];
}

function titleOf(input: Record<string, unknown>): string {
  const title = [input.description, input.command, input.filePath, input.pattern, input.url, input.query];
  return title.find((value) => typeof value === "string") ?? "";
}
