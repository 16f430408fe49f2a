/** OpenAI Chat Completions, the reading half: strict validation, and the request as an exchange. */
import * as z from "zod";
import { chatDialect, wholeCompletion } from "./chat-stream.ts";
import { type Entry, type Exchange, refuse } from "./exchange.ts";
import { checkOpenAiKey, openAiRefusal } from "./openai.ts";
import { check, imageOf, joinText, type Provider, requireModel } from "./provider.ts";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const imagePart = z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) });
const filePart = z.looseObject({ type: z.enum(["file", "input_audio"]) });
const toolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const textContent = z.union([z.string(), z.array(textPart)]);
const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content: textContent }),
  z.looseObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPart, imagePart, filePart])).min(1)]),
  }),
  z.looseObject({
    role: z.literal("assistant"),
    content: textContent.nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: textContent }),
]);
const request = z.looseObject({
  model: z.string().min(1, "you must provide a model parameter"),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  tools: z
    .array(z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }))
    .optional(),
});

type Message = z.infer<typeof message>;

export const chat: Provider = {
  checkKey: checkOpenAiKey,
  read(body, headers) {
    const parsed = check(request, body);
    requireModel(parsed.model);
    checkPairs(parsed.messages);
    const tools = parsed.tools ?? [];
    const exchange: Exchange = {
      model: parsed.model,
      session: headers.get("x-session-id") ?? "",
      entries: parsed.messages.flatMap(entriesOf),
      tools: tools.map((tool) => ({ name: tool.function.name, namespace: null, form: "function" })),
      instructions: parsed.messages.map((entry) => (entry.role === "system" ? joinText(entry.content) : "")).join("\n"),
      compacts: false,
    };
    return { exchange, stream: parsed.stream ?? false };
  },
  dialect: chatDialect,
  whole: wholeCompletion,
  refusal: openAiRefusal,
};

/** The calls of an assistant message are answered by the tool messages that follow it at once, and by nothing else. */
function checkPairs(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const [index, entry] of messages.entries()) {
    if (entry.role === "tool") {
      if (!open.includes(entry.tool_call_id)) {
        refuse(
          400,
          `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (messages.[${index}].tool_call_id: ${entry.tool_call_id}).`,
        );
      }
      open = open.filter((id) => id !== entry.tool_call_id);
      continue;
    }
    if (open.length > 0) refuseOpen(open);
    if (entry.role === "assistant") open = (entry.tool_calls ?? []).map((call) => call.id);
  }
  if (open.length > 0) refuseOpen(open);
}

function refuseOpen(open: string[]): never {
  return refuse(
    400,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
  );
}

function entriesOf(entry: Message): Entry[] {
  if (entry.role === "user")
    return typeof entry.content === "string" ? userText(entry.content) : entry.content.flatMap(userPart);
  if (entry.role === "tool") return [{ kind: "result", id: entry.tool_call_id, text: joinText(entry.content) }];
  if (entry.role !== "assistant") return [];
  const userEntries = joinText(entry.content);
  const calls = (entry.tool_calls ?? []).map(
    (call): Entry => ({ kind: "call", id: call.id, name: call.function.name }),
  );
  return userEntries === "" ? calls : [{ kind: "assistant", text: userEntries }, ...calls];
}

function userText(text: string): Entry[] {
  return [{ kind: "user", text }];
}

function userPart(part: z.infer<typeof textPart> | z.infer<typeof imagePart> | z.infer<typeof filePart>): Entry[] {
  if (part.type === "text") return userText(part.text);
  return part.type === "image_url" ? [{ kind: "image", ...imageOf(part.image_url.url) }] : [];
}
