/** OpenAI Responses, the writing half: stream events, or one whole response. */
import type { Answer, Exchange, Output, Usage } from "./exchange.ts";
import { openAiError } from "./openai.ts";
import type { ToolInput } from "./script.ts";
import { type Dialect, type Pause, paced, type SseEvent, slices } from "./sse.ts";

type Fields = Record<string, unknown>;

export function responsesDialect(answer: Answer, exchange: Exchange): Dialect {
  const head = envelope(exchange);
  let sequence = 0;
  const event = (type: string, fields: Fields): SseEvent => {
    sequence += 1;
    return { name: type, data: { type, sequence_number: sequence - 1, ...fields } };
  };
  if (exchange.compacts) return compaction(answer, head, event);
  const items = answer.outputs.map(wholeItem);
  const place = (index: number) => ({ output_index: index, item_id: items[index]?.id });
  return {
    start: () => [
      event("response.created", { response: { ...head, status: "in_progress", output: [] } }),
      event("response.in_progress", { response: { ...head, status: "in_progress", output: [] } }),
    ],
    *open(output, index) {
      yield event("response.output_item.added", { output_index: index, item: emptied(items[index] ?? {}) });
      for (const step of openItem(output)) {
        if ("waitMs" in step) yield step;
        else yield event(step.type, { ...place(index), ...step.fields });
      }
    },
    close: (output, index) => [
      ...closeItem(output).map((step) => event(step.type, { ...place(index), ...step.fields })),
      event("response.output_item.done", { output_index: index, item: items[index] }),
    ],
    finish: () => {
      const response = { ...head, status: "completed", output: items, usage: usageOf(answer.usage) };
      return [event("response.completed", { response })];
    },
    fail: () => {
      if (answer.ending.type !== "failure") return [];
      const { code, message } = openAiError(answer.ending.failure);
      const response = { ...head, status: "failed", output: [], error: { code, message }, usage: null };
      return [event("response.failed", { response })];
    },
  };
}

/** A packed-up conversation is one opaque item. */
function compaction(answer: Answer, head: Fields, event: (type: string, fields: Fields) => SseEvent): Dialect {
  const item = { type: "compaction", id: `cmp_${unique()}`, encrypted_content: "c2NyaXB0ZWQ=" };
  const response = { ...head, status: "completed", output: [item], usage: usageOf(answer.usage) };
  return {
    start: () => [event("response.created", { response: { ...head, status: "in_progress", output: [] } })],
    open: () => [],
    close: () => [event("response.output_item.done", { output_index: 0, item })],
    finish: () => [event("response.completed", { response })],
    fail: () => [],
  };
}

export function wholeResponse(answer: Answer, exchange: Exchange): unknown {
  const output = answer.outputs.map(wholeItem);
  return { ...envelope(exchange), status: "completed", output, usage: usageOf(answer.usage) };
}

function envelope(exchange: Exchange) {
  return {
    id: `resp_${unique()}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    model: exchange.model,
    error: null,
    incomplete_details: null,
    usage: null,
  };
}

function wholeItem(output: Output): Fields {
  if (output.type === "text") {
    const content = [textPart(output.pieces.join(""))];
    return { type: "message", id: `msg_${unique()}`, status: "completed", role: "assistant", content };
  }
  if (output.type === "think") {
    const summary = [summaryPart(output.text)];
    return { type: "reasoning", id: `rs_${unique()}`, summary, encrypted_content: "c2NyaXB0ZWQ=" };
  }
  if (isSearch(output)) {
    const search = { status: "completed", execution: "client", arguments: output.input };
    return { type: "tool_search_call", id: `tsc_${unique()}`, call_id: output.id, ...search };
  }
  const called = {
    call_id: output.id,
    name: output.name,
    ...(output.namespace ? { namespace: output.namespace } : {}),
  };
  if (typeof output.input === "string") {
    return { type: "custom_tool_call", id: `ctc_${unique()}`, status: "completed", ...called, input: output.input };
  }
  const args = JSON.stringify(output.input);
  return { type: "function_call", id: `fc_${unique()}`, status: "completed", ...called, arguments: args };
}

/** The item as it is announced: its envelope without what the deltas are going to bring. */
function emptied(item: Fields): Fields {
  const blank: Fields = { ...item };
  if ("status" in item) blank.status = "in_progress";
  if ("content" in item) blank.content = [];
  if ("summary" in item) blank.summary = [];
  if (typeof item.arguments === "string") blank.arguments = "";
  if ("input" in item) blank.input = "";
  return blank;
}

interface ItemEvent {
  type: string;
  fields: Fields;
}

function* openItem(output: Output): Iterable<ItemEvent | Pause> {
  if (output.type === "text") return yield* openText(output);
  if (output.type === "think") {
    yield { type: "response.reasoning_summary_part.added", fields: { summary_index: 0, part: summaryPart("") } };
    for (const delta of slices(output.text)) {
      yield { type: "response.reasoning_summary_text.delta", fields: { summary_index: 0, delta } };
    }
    return;
  }
  if (isSearch(output)) return;
  const type = typeof output.input === "string" ? "custom_tool_call_input" : "function_call_arguments";
  for (const delta of slices(inputText(output.input))) {
    yield { type: `response.${type}.delta`, fields: { delta, call_id: output.id } };
  }
}

function* openText(output: Extract<Output, { type: "text" }>): Iterable<ItemEvent | Pause> {
  yield { type: "response.content_part.added", fields: { content_index: 0, part: textPart("") } };
  yield* paced(output, (delta) => ({
    type: "response.output_text.delta",
    fields: { content_index: 0, delta, logprobs: [] },
  }));
}

function closeItem(output: Output): ItemEvent[] {
  if (output.type === "text") {
    const text = output.pieces.join("");
    return [
      { type: "response.output_text.done", fields: { content_index: 0, text, logprobs: [] } },
      { type: "response.content_part.done", fields: { content_index: 0, part: textPart(text) } },
    ];
  }
  if (output.type === "think") {
    const { text } = output;
    return [
      { type: "response.reasoning_summary_text.done", fields: { summary_index: 0, text } },
      { type: "response.reasoning_summary_part.done", fields: { summary_index: 0, part: summaryPart(text) } },
    ];
  }
  if (typeof output.input === "string") {
    return [{ type: "response.custom_tool_call_input.done", fields: { input: output.input } }];
  }
  if (isSearch(output)) return [];
  return [{ type: "response.function_call_arguments.done", fields: { arguments: inputText(output.input) } }];
}

/** The search for tools is a kind of item of its own and comes whole. */
function isSearch(output: Output): boolean {
  return output.type === "call" && output.name === "tool_search";
}

function inputText(input: ToolInput): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function textPart(text: string) {
  return { type: "output_text", text, annotations: [] };
}

function summaryPart(text: string) {
  return { type: "summary_text", text };
}

function unique(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 24);
}

function usageOf(usage: Usage) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}
