/** Results of tools: streamed if the tool streams, completed with the changed files. */
import { resolve } from "node:path";
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, delta, resultId, started, toolResult } from "../../item-drafts.ts";
import { stringAt } from "../../json.ts";
import {
  ImageContent,
  TextContent,
  ToolExecutionEnd,
  ToolExecutionStart,
  ToolExecutionUpdate,
  type ToolResult,
} from "../native.ts";

interface Running {
  input: unknown;
  /** The output emitted so far; null before the first delta. */
  emitted: string | null;
}

export function createToolResults(directory: string) {
  const running = new Map<string, Running>();

  return {
    onStart(raw: unknown): Draft[] {
      const { toolCallId, args } = ToolExecutionStart.parse(raw);
      running.set(toolCallId, { input: args, emitted: null });
      return [];
    },

    /** Each update has the whole output so far, or only its end if it is long. */
    onUpdate(raw: unknown): Draft[] {
      const { toolCallId, args, partialResult } = ToolExecutionUpdate.parse(raw);
      const text = textOf(partialResult);
      const { emitted } = running.get(toolCallId) ?? { emitted: null };
      if (text === "" || text === emitted) return [];
      running.set(toolCallId, { input: args, emitted: text });
      const id = resultId(toolCallId);
      const piece = delta(id, continuation(emitted ?? "", text), raw);
      return emitted === null ? [started(toolResult({ id }, toolCallId, ""), raw), piece] : [piece];
    },

    onEnd(raw: unknown): Draft[] {
      const end = ToolExecutionEnd.parse(raw);
      const { toolCallId, result, isError: failed } = end;
      const input = running.get(toolCallId)?.input;
      running.delete(toolCallId);
      const path = stringAt(input, "path");
      const file = path === null ? null : resolve(directory, path);
      const parts = [...imagesIn(result, file), ...(failed || file === null ? [] : fileParts(end, file))];
      const shape = toolResult({ id: resultId(toolCallId) }, toolCallId, textOf(result), parts);
      return [completed(shape, raw, { failed })];
    },

    /** A new process has started: the tools of the old one are gone. */
    reset(): void {
      running.clear();
    },
  };
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => TextContent.safeParse(block).data?.text ?? []).join("\n");
}

const overlapLength = 200;

/** The new part of the output. Updates of long outputs have only its end, so the overlap must be found. */
export function continuation(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const seam = before.slice(-overlapLength);
  const at = now.lastIndexOf(seam);
  return at === -1 ? now : now.slice(at + seam.length);
}

/** An image that the agent read has its path; one that a tool created is a data URL. */
function imagesIn({ content }: ToolResult, file: string | null): ContentPart[] {
  return content.flatMap((block): ContentPart[] => {
    const { data: image } = ImageContent.safeParse(block);
    if (!image) return [];
    return [{ type: "image", path: file ?? `data:${image.mimeType};base64,${image.data}`, mime: image.mimeType }];
  });
}

function fileParts({ toolName, result }: ToolExecutionEnd, path: string): ContentPart[] {
  const diff = stringAt(result.details, "patch");
  switch (toolName) {
    case "read":
      return [{ type: "file_ref", path, action: "read" }];
    case "write":
      return [{ type: "file_ref", path, action: "write", ...(diff && { diff }) }];
    case "edit":
      return [{ type: "file_ref", path, action: "patch", ...(diff && { diff }) }];
    default:
      return [];
  }
}
