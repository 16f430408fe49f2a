/** OpenAI Responses, the reading half: strict validation, and the request as an exchange. */
import * as z from "zod";
import { type Entry, type Exchange, type OfferedTool, refuse } from "./exchange.ts";
import { checkOpenAiKey, openAiRefusal } from "./openai.ts";
import { check, imageOf, joinText, type Provider, requireModel } from "./provider.ts";
import { responsesDialect, wholeResponse } from "./responses-stream.ts";

const part = z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.string().nullish() });
const content = z.union([z.string(), z.array(part)]);
const output = z.looseObject({ call_id: z.string().min(1), output: content });
const tool: z.ZodType<Tool> = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  get tools() {
    return z.array(tool).optional();
  },
});
interface Tool {
  type: string;
  name?: string | undefined;
  description?: string | undefined;
  tools?: Tool[] | undefined;
}
const roles = z.enum(["user", "assistant", "system", "developer"]);
const message = z.looseObject({ type: z.literal("message"), role: roles, content });
const call = z.looseObject({
  type: z.enum(["function_call", "custom_tool_call"]),
  call_id: z.string(),
  name: z.string(),
});
const result = output.extend({ type: z.enum(["function_call_output", "custom_tool_call_output"]) });
const search = z.looseObject({ type: z.literal("tool_search_call"), call_id: z.string() });
const found = z.looseObject({ type: z.literal("tool_search_output"), call_id: z.string(), tools: z.array(tool) });
const agentPart = z.looseObject({ text: z.string().optional(), encrypted_content: z.string().optional() });
const agentMessage = z.looseObject({ type: z.literal("agent_message"), content: z.array(agentPart) });
const moreTools = z.looseObject({ type: z.literal("additional_tools"), tools: z.array(tool) });
/** Items that carry nothing the script needs; an item of any other type is refused. */
const silent = z.looseObject({
  type: z.enum([
    "reasoning",
    "web_search_call",
    "local_shell_call",
    "local_shell_call_output",
    "image_generation_call",
    "compaction",
    "compaction_trigger",
  ]),
});
const item = z.discriminatedUnion("type", [message, call, result, search, found, agentMessage, moreTools, silent]);
const request = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.preprocess(withType, item))]),
  instructions: z.string().nullish(),
  stream: z.boolean().optional(),
  tools: z.array(tool).optional(),
});

/** A message may leave out its type. */
function withType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "type" in value || !("role" in value)) return value;
  return { type: "message", ...value };
}

type Item = z.infer<typeof item>;

export const responses: Provider = {
  checkKey: checkOpenAiKey,
  read(body, headers) {
    const parsed = check(request, body);
    requireModel(parsed.model);
    const items: Item[] =
      typeof parsed.input === "string" ? [{ type: "message", role: "user", content: parsed.input }] : parsed.input;
    checkPairs(items);
    const offered = [...(parsed.tools ?? []), ...items.flatMap(toolsIn)];
    const exchange: Exchange = {
      model: parsed.model,
      session: headers.get("thread-id") ?? headers.get("session-id") ?? "",
      entries: items.flatMap(entriesOf),
      tools: offered.flatMap((entry) => flatten(entry, null)),
      instructions: [parsed.instructions ?? "", ...items.flatMap(instructionsIn)].join("\n"),
      compacts: items.some((entry) => entry.type === "compaction_trigger"),
    };
    return { exchange, stream: parsed.stream ?? false };
  },
  dialect: responsesDialect,
  whole: wholeResponse,
  refusal: openAiRefusal,
};

function toolsIn(entry: Item): Tool[] {
  return entry.type === "additional_tools" || entry.type === "tool_search_output" ? entry.tools : [];
}

/** The namespace "functions" is the default one: its tools are called by their bare names. */
function flatten(entry: Tool, namespace: string | null): OfferedTool[] {
  if (entry.type === "namespace") {
    const inside = entry.name === "functions" ? null : (entry.name ?? null);
    return (entry.tools ?? []).flatMap((child) => flatten(child, inside));
  }
  const name = entry.name ?? entry.type;
  if (entry.type === "tool_search") return [{ name, namespace, form: "search" }];
  if (entry.type !== "custom") return [{ name, namespace, form: "function" }];
  return [{ name, namespace, form: "freeform" }, ...(name === "exec" ? nested(entry.description ?? "") : [])];
}

/** The description of the code tool lists, one heading each, the tools that exist only inside the code. */
function nested(description: string): OfferedTool[] {
  const headings = description.matchAll(/^### `(\w+)`$/gm);
  return Array.from(headings, (heading) => ({ name: heading[1] ?? "", namespace: null, form: "code" }));
}

/** Every output answers a call, every call has its output. */
function checkPairs(items: readonly Item[]): void {
  const calls = items.flatMap((entry) => (isCall(entry) ? [entry.call_id] : []));
  const results = items.flatMap((entry) => (isResult(entry) ? [entry.call_id] : []));
  const stray = results.find((id) => !calls.includes(id));
  if (stray) refuse(400, `No tool call found for function call output with call_id ${stray}.`);
  const missing = calls.find((id) => !results.includes(id));
  if (missing) refuse(400, `No tool output found for function call ${missing}.`);
}

function isCall(entry: Item): entry is z.infer<typeof call> | z.infer<typeof search> {
  return entry.type === "function_call" || entry.type === "custom_tool_call" || entry.type === "tool_search_call";
}

function isResult(entry: Item): entry is z.infer<typeof result> | z.infer<typeof found> {
  return (
    entry.type === "function_call_output" ||
    entry.type === "custom_tool_call_output" ||
    entry.type === "tool_search_output"
  );
}

function instructionsIn(entry: Item): string[] {
  return entry.type === "message" && (entry.role === "developer" || entry.role === "system")
    ? [joinText(entry.content)]
    : [];
}

function entriesOf(entry: Item): Entry[] {
  if (entry.type === "tool_search_call") return [{ kind: "call", id: entry.call_id, name: "tool_search" }];
  if (entry.type === "tool_search_output") return [{ kind: "result", id: entry.call_id, text: "" }];
  if (entry.type === "agent_message") return [{ kind: "user", text: fromAgent(entry.content) }];
  if (isCall(entry)) return [{ kind: "call", id: entry.call_id, name: entry.name }];
  if (isResult(entry)) {
    return [{ kind: "result", id: entry.call_id, text: joinText(entry.output) }, ...images(entry.output)];
  }
  if (entry.type !== "message") return [];
  if (entry.role === "assistant") return [{ kind: "assistant", text: joinText(entry.content) }];
  if (entry.role !== "user") return [];
  if (typeof entry.content === "string") return [{ kind: "user", text: entry.content }];
  return entry.content.flatMap((piece): Entry[] =>
    piece.text === undefined ? images([piece]) : [{ kind: "user", text: piece.text }],
  );
}

/** A task from another agent is a script like the user's; other messages between agents are context. */
function fromAgent(content: z.infer<typeof agentPart>[]): string {
  const text = content.map((piece) => piece.text ?? piece.encrypted_content ?? "").join("");
  const task = /^Message Type: NEW_TASK[\s\S]*?\nPayload:\n([\s\S]*)$/.exec(text)?.[1];
  return task ?? `<agent_message>\n${text}\n</agent_message>`;
}

function images(from: z.infer<typeof content>): Entry[] {
  if (typeof from === "string") return [];
  return from.flatMap((piece): Entry[] =>
    piece.type === "input_image" && piece.image_url ? [{ kind: "image", ...imageOf(piece.image_url) }] : [],
  );
}
