/** Tool calls and their results: an item each, the result with the files it touched. */
import type { ContentPart } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, notice } from "../../item-drafts.ts";
import {
  type BetaToolResultBlockParam,
  type BetaToolUseBlock,
  ExitPlanModeInput,
  FileEditOutput,
  FileWriteOutput,
} from "../generated/protocol.ts";
import { creationDiff, unifiedDiff } from "./diff.ts";
import { tagOf } from "./tag.ts";
import { createTodos } from "./todos.ts";

interface Call {
  name: string;
  input: unknown;
}

export function createToolCalls() {
  const running = new Map<string, Call>();
  const todos = createTodos();

  return {
    called({ id, name, input }: BetaToolUseBlock, parent: string | null, raw: unknown): Draft[] {
      running.set(id, { name, input });
      const part: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(input ?? {}), call_id: id };
      const call = completed({ id, parent, kind: "tool_call", role: "assistant", content: [part] }, raw);
      return name === "ExitPlanMode" ? [call, ...planNotice(id, input, raw)] : [call];
    },

    /** `detail` is the structured form of the output, where the agent sends one. */
    finished(block: BetaToolResultBlockParam, detail: unknown, parent: string | null, raw: unknown): Draft[] {
      const { tool_use_id: callId, content, is_error } = block;
      const call = running.get(callId) ?? { name: "", input: null };
      running.delete(callId);
      const failed = is_error === true;
      const output: ContentPart = { type: "tool_result", call_id: callId, output: outputText(content) };
      const parts = [output, ...images(content, call), ...(failed ? [] : fileParts(call, detail))];
      const shape = { id: `${callId}:result`, parent, kind: "tool_result", role: "tool", content: parts } as const;
      const result = completed({ ...shape, content: [...parts] }, raw, { failed });
      const list = failed ? null : todos.after(call.name, call.input, detail);
      if (!list) return [result];
      return [
        result,
        notice(`${callId}:todos`, { label: "Todos", detail: list.summary, json: { todos: list.todos } }, raw),
      ];
    },
  };
}

export type ToolCalls = ReturnType<typeof createToolCalls>;

function planNotice(id: string, input: unknown, raw: unknown): Draft[] {
  const { data } = ExitPlanModeInput.safeParse(input);
  if (typeof data?.plan !== "string") return [];
  return [notice(`${id}:plan`, { label: "Plan", detail: data.plan, json: { plan: data.plan } }, raw)];
}

const TextBlock = z.object({ text: z.string() });

function outputText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content);
  return content
    .filter((block) => tagOf(block) !== "image")
    .map((block) => TextBlock.safeParse(block).data?.text ?? JSON.stringify(block))
    .join("\n");
}

const ImageBlock = z.object({ source: z.object({ media_type: z.string().nullish(), data: z.string().nullish() }) });

/** An image the agent read is named by its path; one that a tool made comes as data. */
function images(content: unknown, call: Call): ContentPart[] {
  if (!Array.isArray(content)) return [];
  const path = PathInput.safeParse(call.input).data?.file_path;
  return content.flatMap((block): ContentPart[] => {
    const { data } = tagOf(block) === "image" ? ImageBlock.safeParse(block) : { data: undefined };
    if (!data) return [];
    const mime = data.source.media_type ?? "image/png";
    return [{ type: "image", path: path ?? `data:${mime};base64,${data.source.data ?? ""}`, mime }];
  });
}

const PathInput = z.object({ file_path: z.string().optional(), notebook_path: z.string().optional() });
const WriteInput = z.object({ content: z.string() });

/** Subagents report no structured output: then the path comes from the call. */
function fileParts({ name, input }: Call, detail: unknown): ContentPart[] {
  const asked = PathInput.safeParse(input).data;
  const askedPath = asked?.file_path ?? asked?.notebook_path;
  switch (name) {
    case "Write": {
      const { data } = FileWriteOutput.safeParse(detail);
      const path = data?.filePath ?? askedPath;
      if (!path) return [];
      if (data?.structuredPatch?.length)
        return [{ type: "file_ref", path, action: "patch", diff: unifiedDiff(path, data.structuredPatch) }];
      const content = data?.content ?? WriteInput.safeParse(input).data?.content ?? "";
      const isNew = data?.type === "create";
      return [{ type: "file_ref", path, action: "write", ...(isNew && { diff: creationDiff(path, content) }) }];
    }
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit": {
      const { data } = FileEditOutput.safeParse(detail);
      const path = data?.filePath ?? askedPath;
      if (!path) return [];
      const diff = data?.structuredPatch && unifiedDiff(path, data.structuredPatch);
      return [{ type: "file_ref", path, action: "patch", ...(diff && { diff }) }];
    }
    case "Read":
      return askedPath ? [{ type: "file_ref", path: askedPath, action: "read" }] : [];
    default:
      return [];
  }
}
