/** Anthropic Messages, the writing half: an answer as stream events or as one whole message. */
import { errorBody } from "./anthropic-error.ts";
import type { Answer, Exchange, Output, Usage } from "./exchange.ts";
import { type Dialect, type Pause, paced, type SseEvent, slices } from "./sse.ts";

/** Providers refuse thinking that they have not signed themselves; so do we. */
export const signaturePrefix = "c2NyaXB0ZWQ";

export function anthropicDialect(answer: Answer, exchange: Exchange): Dialect {
  return {
    start: () => [
      event("message_start", { message: { ...envelope(exchange), content: [], usage: startUsage(answer.usage) } }),
    ],
    open: openBlock,
    close: (_, index) => [event("content_block_stop", { index })],
    finish: () => [
      event("message_delta", {
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: usageOf(answer.usage),
      }),
      event("message_stop", {}),
    ],
    fail: () => (answer.ending.type === "failure" ? [{ name: "error", data: errorBody(answer.ending.failure) }] : []),
  };
}

export function wholeMessage(answer: Answer, exchange: Exchange): unknown {
  return {
    ...envelope(exchange),
    content: answer.outputs.map(wholeBlock),
    stop_reason: stopReason(answer),
    usage: usageOf(answer.usage),
  };
}

function envelope(exchange: Exchange) {
  const id = `msg_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
  return { id, type: "message", role: "assistant", model: exchange.model, stop_reason: null, stop_sequence: null };
}

function wholeBlock(output: Output): unknown {
  if (output.type === "text") return { type: "text", text: output.pieces.join("") };
  if (output.type === "think") return { type: "thinking", thinking: output.text, signature: signature() };
  return { type: "tool_use", id: output.id, name: output.name, input: output.input };
}

function* openBlock(output: Output, index: number): Iterable<SseEvent | Pause> {
  const delta = (value: Record<string, unknown>) => event("content_block_delta", { index, delta: value });
  if (output.type === "text") {
    yield event("content_block_start", { index, content_block: { type: "text", text: "" } });
    yield* paced(output, (text) => delta({ type: "text_delta", text }));
  } else if (output.type === "think") {
    yield event("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
    for (const thinking of slices(output.text)) yield delta({ type: "thinking_delta", thinking });
    yield delta({ type: "signature_delta", signature: signature() });
  } else {
    const { id, name } = output;
    yield event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
    for (const piece of slices(JSON.stringify(output.input)))
      yield delta({ type: "input_json_delta", partial_json: piece });
  }
}

function event(type: string, fields: Record<string, unknown>): SseEvent {
  return { name: type, data: { type, ...fields } };
}

function signature(): string {
  return `${signaturePrefix}${crypto.randomUUID().replaceAll("-", "")}`;
}

function stopReason(answer: Answer): string {
  return answer.outputs.some((output) => output.type === "call") ? "tool_use" : "end_turn";
}

/** Anthropic counts cached tokens apart from the input; the script's figure for the input includes them. */
function usageOf(usage: Usage) {
  return {
    input_tokens: Math.max(0, usage.input - usage.cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
  };
}

function startUsage(usage: Usage) {
  return { ...usageOf(usage), output_tokens: 1 };
}
