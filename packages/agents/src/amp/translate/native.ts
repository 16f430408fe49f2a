/**
 * Schemas for the fields of Amp's --stream-json output that are used. Amp publishes no schema; both generations of the
 * program write the same format.
 */
import * as z from "zod";

export const Head = z.object({ type: z.string(), subtype: z.string().nullish() });

export const Init = z.object({
  session_id: z.string(),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).nullish(),
});

const Tokens = z.number().nullish();

export const NativeUsage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_creation_input_tokens: Tokens,
  cache_read_input_tokens: Tokens,
});
export type NativeUsage = z.infer<typeof NativeUsage>;

export const AssistantMessage = z.object({
  message: z.object({
    content: z.array(z.unknown()),
    stop_reason: z.string().nullish(),
    usage: NativeUsage.nullish(),
  }),
  parent_tool_use_id: z.string().nullish(),
});

export const UserMessage = z.object({
  message: z.object({ content: z.array(z.unknown()) }),
  parent_tool_use_id: z.string().nullish(),
});

export const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
export const ThinkingBlock = z.object({ type: z.literal("thinking"), thinking: z.string() });
export const ToolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
export const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.string(),
  is_error: z.boolean().nullish(),
});
export type ToolUseBlock = z.infer<typeof ToolUseBlock>;
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

export const Result = z.object({ is_error: z.boolean(), error: z.string().nullish() });
export type Init = z.infer<typeof Init>;
export type AssistantMessage = z.infer<typeof AssistantMessage>;
export type UserMessage = z.infer<typeof UserMessage>;
export type Result = z.infer<typeof Result>;
