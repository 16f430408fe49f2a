/** Tool calls and their results, one item each. Results include the changed files. */
import type { ContentPart } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, notice, resultId, toolCall, toolResult } from "../../item-drafts.ts";
import { stringAt } from "../../json.ts";
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
    onCall({ id, name, input }: BetaToolUseBlock, parent: string | null, raw: unknown): Draft[] {
      running.set(id, { name, input });
      const call = completed(toolCall({ id, parent }, name, JSON.stringify(input ?? {})), raw);
      return name === "ExitPlanMode" ? [call, ...planNotice(id, input, raw)] : [call];
    },

    /** `detail` is the structured output, if the agent sends one. */
    onResult(block: BetaToolResultBlockParam, detail: unknown, parent: string | null, raw: unknown): Draft[] {
      const { tool_use_id: callId, content, is_error } = block;
      const call = running.get(callId) ?? { name: "", input: null };
      running.delete(callId);
      const failed = is_error === true;
      const parts = [...images(content, call), ...(failed ? [] : fileParts(call, detail))];
      const shape = toolResult({ id: resultId(callId), parent }, callId, outputText(content), parts);
      const result = completed(shape, raw, { failed });
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

function outputText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content);
  return content
    .filter((block) => tagOf(block) !== "image")
    .map((block) => stringAt(block, "text") ?? JSON.stringify(block))
    .join("\n");
}

const ImageBlock = z.object({ source: z.object({ media_type: z.string().nullish(), data: z.string().nullish() }) });

/** An image that the agent read has its path; one that a tool created is a data URL. */
function images(content: unknown, call: Call): ContentPart[] {
  if (!Array.isArray(content)) return [];
  const path = stringAt(call.input, "file_path");
  return content.flatMap((block): ContentPart[] => {
    const { data } = tagOf(block) === "image" ? ImageBlock.safeParse(block) : { data: undefined };
    if (!data) return [];
    const mime = data.source.media_type ?? "image/png";
    return [{ type: "image", path: path ?? `data:${mime};base64,${data.source.data ?? ""}`, mime }];
  });
}

/** Subagents send no structured output; the path is then taken from the call. */
function fileParts({ name, input }: Call, detail: unknown): ContentPart[] {
  const inputPath = stringAt(input, "file_path") ?? stringAt(input, "notebook_path");
  switch (name) {
    case "Write": {
      const { data } = FileWriteOutput.safeParse(detail);
      const path = data?.filePath ?? inputPath;
      if (!path) return [];
      if (data?.structuredPatch?.length)
        return [{ type: "file_ref", path, action: "patch", diff: unifiedDiff(path, data.structuredPatch) }];
      const content = data?.content ?? stringAt(input, "content") ?? "";
      const isNew = data?.type === "create";
      return [{ type: "file_ref", path, action: "write", ...(isNew && { diff: creationDiff(path, content) }) }];
    }
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit": {
      const { data } = FileEditOutput.safeParse(detail);
      const path = data?.filePath ?? inputPath;
      if (!path) return [];
      const diff = data?.structuredPatch && unifiedDiff(path, data.structuredPatch);
      return [{ type: "file_ref", path, action: "patch", ...(diff && { diff }) }];
    }
    case "Read":
      return inputPath ? [{ type: "file_ref", path: inputPath, action: "read" }] : [];
    default:
      return [];
  }
}
