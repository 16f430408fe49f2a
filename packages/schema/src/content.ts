/** Content parts: what an item is made of. */
import * as z from "zod";

export const TextPart = z.object({ type: z.literal("text"), text: z.string() }).meta({ id: "TextPart" });

export const JsonPart = z.object({ type: z.literal("json"), json: z.unknown() }).meta({ id: "JsonPart" });

export const ToolCallPart = z
  .object({
    type: z.literal("tool_call"),
    name: z.string(),
    arguments: z.string().meta({ description: "The arguments as a JSON text" }),
    call_id: z.string(),
  })
  .meta({ id: "ToolCallPart" });

export const ToolResultPart = z
  .object({ type: z.literal("tool_result"), call_id: z.string(), output: z.string() })
  .meta({ id: "ToolResultPart" });

export const FileRefPart = z
  .object({
    type: z.literal("file_ref"),
    path: z.string(),
    action: z.enum(["read", "write", "patch"]),
    diff: z.string().nullish().meta({ description: "Unified diff" }),
  })
  .meta({ id: "FileRefPart" });

export const ImagePart = z
  .object({ type: z.literal("image"), path: z.string(), mime: z.string().nullish() })
  .meta({ id: "ImagePart" });

export const ReasoningPart = z
  .object({ type: z.literal("reasoning"), text: z.string(), visibility: z.enum(["public", "private"]) })
  .meta({ id: "ReasoningPart" });

export const StatusPart = z
  .object({ type: z.literal("status"), label: z.string(), detail: z.string().nullish() })
  .meta({ id: "StatusPart" });

export const ContentPart = z
  .discriminatedUnion("type", [
    TextPart,
    JsonPart,
    ToolCallPart,
    ToolResultPart,
    FileRefPart,
    ImagePart,
    ReasoningPart,
    StatusPart,
  ])
  .meta({ id: "ContentPart" });
export type ContentPart = z.infer<typeof ContentPart>;

/** The text a reader of the conversation sees in these parts: text parts joined by newlines. */
export function textOf(content: readonly ContentPart[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

/**
 * Content after one more delta: the delta extends the last part when that part carries text; otherwise a new text part
 * begins.
 */
export function extendContent(content: readonly ContentPart[], delta: string): ContentPart[] {
  const before = content.slice(0, -1);
  const last = content.at(-1);
  if (last?.type === "text" || last?.type === "reasoning") return [...before, { ...last, text: last.text + delta }];
  if (last?.type === "tool_result") return [...before, { ...last, output: last.output + delta }];
  if (last?.type === "tool_call") return [...before, { ...last, arguments: last.arguments + delta }];
  return [...content, { type: "text", text: delta }];
}
