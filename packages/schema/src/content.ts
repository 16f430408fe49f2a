/** Content parts: what an item is made of. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const TextPart = lazy(() => z.object({ type: z.literal("text"), text: z.string() }).meta({ id: "TextPart" }));

export const JsonPart = lazy(() => z.object({ type: z.literal("json"), json: z.unknown() }).meta({ id: "JsonPart" }));

export const ToolCallPart = lazy(() =>
  z
    .object({
      type: z.literal("tool_call"),
      name: z.string(),
      arguments: z.string().meta({ description: "The arguments as a JSON text" }),
      call_id: z.string(),
    })
    .meta({ id: "ToolCallPart" }),
);

export const ToolResultPart = lazy(() =>
  z.object({ type: z.literal("tool_result"), call_id: z.string(), output: z.string() }).meta({ id: "ToolResultPart" }),
);

export const FileRefPart = lazy(() =>
  z
    .object({
      type: z.literal("file_ref"),
      path: z.string(),
      action: z.enum(["read", "write", "patch"]),
      diff: z.string().nullish().meta({ description: "Unified diff" }),
    })
    .meta({ id: "FileRefPart" }),
);

export const ImagePart = lazy(() =>
  z.object({ type: z.literal("image"), path: z.string(), mime: z.string().nullish() }).meta({ id: "ImagePart" }),
);

export const ReasoningPart = lazy(() =>
  z
    .object({ type: z.literal("reasoning"), text: z.string(), visibility: z.enum(["public", "private"]) })
    .meta({ id: "ReasoningPart" }),
);

export const StatusPart = lazy(() =>
  z.object({ type: z.literal("status"), label: z.string(), detail: z.string().nullish() }).meta({ id: "StatusPart" }),
);

export const ContentPart = lazy(() =>
  z
    .discriminatedUnion("type", [
      TextPart(),
      JsonPart(),
      ToolCallPart(),
      ToolResultPart(),
      FileRefPart(),
      ImagePart(),
      ReasoningPart(),
      StatusPart(),
    ])
    .meta({ id: "ContentPart" }),
);
export type ContentPart = Infer<typeof ContentPart>;
