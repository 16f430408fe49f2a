/** Anthropic Messages, the reading half: keys, strict validation, and the request as an exchange. */
import * as z from "zod";
import { anthropicRefusal } from "./anthropic-error.ts";
import { anthropicDialect, signaturePrefix, wholeMessage } from "./anthropic-stream.ts";
import { type Entry, type Exchange, refuse } from "./exchange.ts";
import { base64Bytes, bearer, check, joinText, judgeKey, type Provider, requireModel } from "./provider.ts";

const textBlock = z.looseObject({
  type: z.literal("text"),
  text: z.string().min(1, "text content blocks must be non-empty"),
});
const imageBlock = z.looseObject({
  type: z.enum(["image", "document"]),
  source: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string().min(1) }),
    z.looseObject({ type: z.literal("url"), url: z.url() }),
    z.looseObject({ type: z.literal("text"), media_type: z.string(), data: z.string() }),
  ]),
});
const resultBlock = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).optional(),
  is_error: z.boolean().optional(),
});
const useBlock = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const thinkingBlock = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().startsWith(signaturePrefix, "Invalid `signature` in `thinking` block"),
});
const userBlock = z.discriminatedUnion("type", [textBlock, imageBlock, resultBlock]);
const assistantBlock = z.discriminatedUnion("type", [textBlock, useBlock, thinkingBlock]);
const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("user"), content: z.union([z.string().min(1), z.array(userBlock).min(1)]) }),
  z.looseObject({ role: z.literal("assistant"), content: z.union([z.string(), z.array(assistantBlock)]) }),
]);
const systemMessage = z.looseObject({ role: z.literal("system"), content: z.union([z.string(), z.array(textBlock)]) });
const countRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.discriminatedUnion("role", [message, systemMessage])).min(1, "at least one message is required"),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});
const request = countRequest.extend({ max_tokens: z.int().min(1), stream: z.boolean().optional() });

type Message = z.infer<typeof message> | z.infer<typeof systemMessage>;

export const anthropic: Provider = {
  checkKey,
  read(body, headers) {
    const parsed = check(request, body);
    requireModel(parsed.model);
    return { exchange: toExchange(parsed, headers), stream: parsed.stream ?? false };
  },
  dialect: anthropicDialect,
  whole: wholeMessage,
  refusal: anthropicRefusal,
};

/** `count_tokens` is as strict as the message call, except that it needs no `max_tokens`. */
export function countTokens(body: unknown, headers: Headers): { input_tokens: number } {
  const exchange = toExchange(check(countRequest, body), headers);
  return { input_tokens: Math.ceil(JSON.stringify(exchange.entries).length / 4) };
}

function checkKey(headers: Headers): void {
  const verdict = judgeKey(headers.get("x-api-key") ?? bearer(headers));
  if (verdict === "missing") refuse(401, "x-api-key header is required", "authentication_error");
  if (verdict === "unknown") refuse(401, "invalid x-api-key", "authentication_error");
  if (verdict === "expired") refuse(401, "OAuth token has expired. Please obtain a new token.", "token_expired");
  if (!headers.get("anthropic-version")) refuse(400, "anthropic-version: header is required");
}

function toExchange(parsed: z.infer<typeof countRequest>, headers: Headers): Exchange {
  if (parsed.messages[0]?.role !== "user") refuse(400, 'messages: first message must use the "user" role');
  if (parsed.messages.some((entry) => entry.role === "system")) requireBeta(headers, "mid-conversation-");
  checkToolNames((parsed.tools ?? []).map((tool) => tool.name));
  for (const [index, entry] of parsed.messages.entries()) {
    const isLast = index === parsed.messages.length - 1;
    if (entry.content.length === 0 && !isLast)
      refuse(400, `messages.${index}: all messages must have non-empty content`);
    checkPairs(parsed.messages, index);
  }
  return {
    model: parsed.model,
    session: headers.get("x-claude-code-session-id") ?? "",
    entries: parsed.messages.flatMap(entriesOf),
    tools: (parsed.tools ?? []).map((tool) => ({ name: tool.name, namespace: null, form: "function" })),
    instructions: joinText(parsed.system),
    compacts: false,
  };
}

/** The role "system" inside the conversation is known only to callers that ask for it. */
function requireBeta(headers: Headers, name: string): void {
  if (!headers.get("anthropic-beta")?.includes(name)) refuse(400, 'messages: Unexpected role "system".');
}

function checkToolNames(names: string[]): void {
  if (new Set(names).size < names.length) refuse(400, "tools: Tool names must be unique.");
}

/** Every tool_use is answered by the very next message, and nothing else is. */
function checkPairs(messages: readonly Message[], index: number): void {
  const results = idsIn(messages[index], "tool_result");
  const asked = idsIn(messages[index - 1], "tool_use");
  const stray = results.find((id) => !asked.includes(id));
  if (stray) {
    refuse(
      400,
      `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  const missing = asked.find((id) => !results.includes(id));
  if (missing && messages[index]) {
    refuse(
      400,
      `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  if (new Set(results).size < results.length)
    refuse(400, `messages.${index}: each tool_use must have a single result.`);
}

function idsIn(from: Message | undefined, type: "tool_use" | "tool_result"): string[] {
  if (!from || typeof from.content === "string") return [];
  return from.content.flatMap((block) => {
    if (block.type === "tool_use" && type === "tool_use") return [block.id];
    return block.type === "tool_result" && type === "tool_result" ? [block.tool_use_id] : [];
  });
}

function entriesOf(from: Message): Entry[] {
  if (from.role === "system") {
    return [{ kind: "user", text: `<system-reminder>\n${joinText(from.content)}\n</system-reminder>` }];
  }
  if (typeof from.content === "string") {
    return [{ kind: from.role, text: from.content }];
  }
  return from.content.flatMap((block): Entry[] => {
    if (block.type === "text") return [{ kind: from.role, text: block.text }];
    if (block.type === "tool_use") return [{ kind: "call", id: block.id, name: block.name }];
    if (block.type === "tool_result") {
      return [{ kind: "result", id: block.tool_use_id, text: joinText(block.content) }, ...imagesIn(block.content)];
    }
    if (block.type === "image" || block.type === "document") return image(block);
    return [];
  });
}

function imagesIn(content: unknown): Entry[] {
  const parsed = z.array(z.unknown()).safeParse(content);
  if (!parsed.success) return [];
  return parsed.data.flatMap((part) => {
    const found = imageBlock.safeParse(part);
    return found.success ? image(found.data) : [];
  });
}

function image(block: z.infer<typeof imageBlock>): Entry[] {
  if (block.source.type === "url") return [{ kind: "image", mediaType: "url", bytes: 0 }];
  const bytes = block.source.type === "text" ? Buffer.byteLength(block.source.data) : base64Bytes(block.source.data);
  return [{ kind: "image", mediaType: block.source.media_type, bytes }];
}
