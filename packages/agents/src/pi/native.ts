/**
 * The part of Pi's RPC protocol that the adapter reads. Pi publishes type declarations, but those of the wire are derived
 * from internal types, and results of tools are `any`; so the schemas are written by hand.
 */
import * as z from "zod";

export const Head = z.object({ type: z.string(), id: z.string().optional() });
export type Head = z.infer<typeof Head>;

// ── Responses to commands ─────────────────────────────────────────────────────────────────────────────────────────────

export const Response = z.object({
  type: z.literal("response"),
  id: z.string().optional(),
  command: z.string(),
  success: z.boolean(),
  data: z.unknown().optional(),
  error: z.string().optional(),
});

export const Model = z.object({
  id: z.string(),
  name: z.string().optional(),
  provider: z.string(),
  reasoning: z.boolean().optional(),
  /** A level that is null is not supported. */
  thinkingLevelMap: z.record(z.string(), z.unknown()).nullish(),
  contextWindow: z.number().optional(),
});
export type Model = z.infer<typeof Model>;

export const State = z.object({
  model: Model.nullish().catch(null),
  isStreaming: z.boolean(),
});

export const AvailableModels = z.object({ models: z.array(Model) });

// ── Messages ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const Usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number().nullish(),
  totalTokens: z.number(),
  cost: z.object({ total: z.number() }),
});
export type Usage = z.infer<typeof Usage>;

export const TextContent = z.object({ type: z.literal("text"), text: z.string() });
export const ThinkingContent = z.object({
  type: z.literal("thinking"),
  thinking: z.string(),
  redacted: z.boolean().nullish(),
});
export const ToolCall = z.object({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.unknown().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;
export const ImageContent = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() });

export const AssistantMessage = z.object({
  role: z.literal("assistant"),
  content: z.array(z.unknown()),
  usage: Usage,
  stopReason: z.string(),
  errorMessage: z.string().nullish(),
  timestamp: z.number(),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const CustomMessage = z.object({
  role: z.literal("custom"),
  content: z.union([z.string(), z.array(z.unknown())]),
  display: z.boolean(),
});

export const MessageEvent = z.object({ message: z.object({ role: z.string(), timestamp: z.number().optional() }) });

export const MessageUpdate = z.object({
  assistantMessageEvent: z.object({
    type: z.string(),
    contentIndex: z.number().optional(),
    delta: z.string().optional(),
    content: z.string().optional(),
    id: z.string().optional(),
    toolName: z.string().optional(),
    toolCall: ToolCall.optional(),
  }),
});
export type AssistantMessageEvent = z.infer<typeof MessageUpdate>["assistantMessageEvent"];

// ── Tools ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export const ToolResult = z.object({
  content: z.array(z.unknown()),
  details: z.unknown().optional(),
  usage: Usage.nullish(),
});
export type ToolResult = z.infer<typeof ToolResult>;

export const ToolExecutionStart = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  args: z.unknown().optional(),
});
export const ToolExecutionUpdate = ToolExecutionStart.extend({ partialResult: ToolResult });
export const ToolExecutionEnd = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  result: ToolResult,
  isError: z.boolean(),
});
export type ToolExecutionEnd = z.infer<typeof ToolExecutionEnd>;

// ── Notices ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export const AutoRetryStart = z.object({
  attempt: z.number(),
  maxAttempts: z.number(),
  delayMs: z.number(),
  errorMessage: z.string(),
});
export const CompactionStart = z.object({ reason: z.string() });
export const CompactionEnd = z.object({
  reason: z.string(),
  result: z.object({ tokensBefore: z.number().optional(), summary: z.string().optional() }).nullish(),
  aborted: z.boolean(),
  errorMessage: z.string().nullish(),
});
export const ThinkingLevelChanged = z.object({ level: z.string() });
export const ExtensionError = z.object({ extensionPath: z.string(), event: z.string(), error: z.string() });

// ── Dialogs of extensions ───────────────────────────────────────────────────────────────────────────────────────────

export const UiRequest = z.object({
  id: z.string(),
  method: z.string(),
  title: z.string().optional(),
  message: z.string().optional(),
  options: z.array(z.string()).optional(),
  placeholder: z.string().optional(),
  prefill: z.string().optional(),
  notifyType: z.string().optional(),
});
export type UiRequest = z.infer<typeof UiRequest>;
