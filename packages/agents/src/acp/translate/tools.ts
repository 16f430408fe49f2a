/**
 * Tool calls. The first message that names a call starts it, and further messages add to it: agents start with `tool_call`,
 * with an update, or with a permission request. A call becomes two items: the call, which is completed with its input, and
 * the result, which streams the output of running commands.
 */
import { type ContentPart, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import {
  completed,
  delta,
  type ItemShape,
  notice,
  resultId,
  started,
  toolCall,
  toolResult,
} from "../../item-drafts.ts";
import { stringAt } from "../../json.ts";
import type { ToolCall, ToolContent } from "../native.ts";
import { mediaPart, textOfBlock } from "./blocks.ts";
import { fileRefs } from "./files.ts";

interface Call {
  id: string;
  /** The call of the subagent that makes this one. */
  parent: string | null;
  name: string;
  kind: string | null;
  status: string;
  input: unknown;
  content: readonly ToolContent[];
  /** The latest diffs: the last update of a call often omits them. */
  diffs: readonly ToolContent[];
  paths: readonly string[];
  rawOutput: unknown;
  /** Output from the `terminal_output` keys of `_meta`. */
  terminal: string;
  exitCode: number | null;
  stage: "announced" | "called" | "answering";
  /** The output emitted so far. */
  streamed: string;
}

export function createTools() {
  const open = new Map<string, Call>();
  const finished = new Set<string>();

  function update(change: ToolCall): Draft[] {
    const { toolCallId: id } = change;
    // Some agents send updates after the end of a call.
    if (finished.has(id)) return [];
    const known = open.get(id);
    const call = merged(known ?? newCall(change), change);
    open.set(id, call);
    const drafts = known ? [] : [started(callItem(call))];
    if (call.status === "completed" || call.status === "failed") return [...drafts, ...finish(call)];
    return [...drafts, ...stream(call)];
  }

  function finish(call: Call): Draft[] {
    open.delete(call.id);
    finished.add(call.id);
    const failed = call.status === "failed" || (call.exitCode ?? 0) !== 0;
    return [...called(call), completed(resultItem(call, failed), undefined, { failed }), ...todos(call, failed)];
  }

  /** Calls that are still open at the end of the turn, or that the agent did not report after a rejection. */
  function closeAll(): Draft[] {
    return [...open.values()].flatMap((call) => finish({ ...call, status: "failed" }));
  }

  /** The call as known so far: a permission request has less than the call. */
  function get(id: string): { name: string; kind: string | null; input: unknown } | null {
    return open.get(id) ?? null;
  }

  return { update, closeAll, get };
}

function newCall({ toolCallId: id, name, title, _meta }: ToolCall): Call {
  return {
    id,
    parent: _meta?.claudeCode?.parentToolUseId ?? null,
    name: name ?? _meta?.claudeCode?.toolName ?? _meta?.toolName ?? nameIn(id) ?? title ?? "tool",
    kind: null,
    status: "pending",
    input: {},
    content: [],
    diffs: [],
    paths: [],
    rawOutput: undefined,
    terminal: "",
    exitCode: null,
    stage: "announced",
    streamed: "",
  };
}

/** Gemini has the name of the tool only in the id of the call. */
function nameIn(id: string): string | null {
  return /^([a-z_]+?)__/.exec(id)?.[1] ?? null;
}

function merged(call: Call, { kind, status, rawInput, rawOutput, content, locations, _meta }: ToolCall): Call {
  const diffs = content?.filter(({ type }) => type === "diff") ?? [];
  const delta = _meta?.terminal_output_delta?.data ?? "";
  return {
    ...call,
    kind: kind ?? call.kind,
    status: status ?? call.status,
    input: rawInput ?? call.input,
    content: content ?? call.content,
    diffs: diffs.length > 0 ? diffs : call.diffs,
    paths: locations?.map(({ path }) => path) ?? call.paths,
    rawOutput: rawOutput ?? call.rawOutput,
    terminal: _meta?.terminal_output?.data ?? call.terminal + delta,
    exitCode: _meta?.terminal_exit?.exit_code ?? call.exitCode,
  };
}

function callItem({ id, parent, name, input }: Call): ItemShape {
  return toolCall({ id, parent }, name, JSON.stringify(input));
}

/** The call is completed when its result starts: until then its input may still change. */
function called(call: Call): Draft[] {
  return call.stage === "announced" ? [completed(callItem(call))] : [];
}

/** Every update has the whole output so far; the new part of it becomes a delta. */
function stream(call: Call): Draft[] {
  // The content of a call that has not started is a description of it.
  const output = call.status === "in_progress" ? outputSoFar(call) : "";
  if (output === call.streamed || !output.startsWith(call.streamed)) return [];
  const start = call.stage === "answering" ? [] : [...called(call), started(resultShape(call, ""))];
  const added = output.slice(call.streamed.length);
  call.stage = "answering";
  call.streamed = output;
  return [...start, delta(resultId(call.id), added)];
}

function outputSoFar({ terminal, content }: Call): string {
  return terminal || contentText(content);
}

function contentText(content: readonly ToolContent[]): string {
  return content.flatMap((entry) => (entry.content ? (textOfBlock(entry.content) ?? []) : [])).join("\n");
}

function resultShape({ id, parent }: Call, output: string, more: ContentPart[] = []): ItemShape {
  return toolResult({ id: resultId(id), parent }, id, output, more);
}

function resultItem(call: Call, failed: boolean): ItemShape {
  const output = outputSoFar(call) || rawText(call.rawOutput) || call.streamed;
  const media = call.content.flatMap(({ content }) =>
    content && textOfBlock(content) === null ? [mediaPart(content)] : [],
  );
  const files = failed && call.diffs.length > 0 ? [] : fileRefs(call);
  return resultShape(call, output, [...files, ...media]);
}

function rawText(rawOutput: unknown): string {
  if (rawOutput === undefined) return "";
  if (typeof rawOutput === "string") return rawOutput;
  return stringAt(rawOutput, "output") ?? JSON.stringify(rawOutput);
}

const TodoInput = lazyObject(() => ({ todos: z.array(z.looseObject({ content: z.string() })).min(1) }));

/** Several agents have a tool for their todo list instead of sending a plan. */
function todos(call: Call, failed: boolean): Draft[] {
  const { data } = failed ? {} : TodoInput().safeParse(call.input);
  return data ? [notice(`${call.id}:todos`, { label: "Todo list", json: { todos: data.todos } })] : [];
}
