/** Results of tools: streamed where the tool streams, completed with the files they touched. */
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
  /** What has been streamed of its output; null before the first piece. */
  shown: string | null;
}

export function createToolResults(directory: string) {
  const running = new Map<string, Running>();

  return {
    started(raw: unknown): Draft[] {
      const { toolCallId, args } = ToolExecutionStart.parse(raw);
      running.set(toolCallId, { input: args, shown: null });
      return [];
    },

    /** Each update brings the output so far, or its end if it is long. */
    updated(raw: unknown): Draft[] {
      const { toolCallId, args, partialResult } = ToolExecutionUpdate.parse(raw);
      const text = textOf(partialResult);
      const { shown } = running.get(toolCallId) ?? { shown: null };
      if (text === "" || text === shown) return [];
      running.set(toolCallId, { input: args, shown: text });
      const id = resultId(toolCallId);
      const piece = delta(id, continuation(shown ?? "", text), raw);
      return shown === null ? [started(toolResult({ id }, toolCallId, ""), raw), piece] : [piece];
    },

    ended(raw: unknown): Draft[] {
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

    /** The process is another one: what ran in the last is gone. */
    reset(): void {
      running.clear();
    },
  };
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => TextContent.safeParse(block).data?.text ?? []).join("\n");
}

const overlapLength = 200;

/** What the new text adds to the old one. Of long outputs only the end is repeated, so the seam has to be found. */
export function continuation(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const seam = before.slice(-overlapLength);
  const at = now.lastIndexOf(seam);
  return at === -1 ? now : now.slice(at + seam.length);
}

/** An image the agent read is named by its path; one that a tool made comes as data. */
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
