/** OpenAI Chat Completions, the writing half: chunks, or one whole completion. */
import type { Answer, Exchange, Output, Usage } from "./exchange.ts";
import { openAiError } from "./openai.ts";
import { type Dialect, paced, type SseEvent, slices } from "./sse.ts";

export function chatDialect(answer: Answer, exchange: Exchange): Dialect {
  const head = { ...envelope(exchange), object: "chat.completion.chunk" };
  const chunk = (delta: Record<string, unknown>, finish: string | null = null): SseEvent => ({
    name: null,
    data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }], usage: null },
  });
  const calls = answer.outputs.filter((output) => output.type === "call");
  const texts = answer.outputs.filter((output) => output.type === "text");
  return {
    start: () => [chunk({ role: "assistant", content: "" })],
    *open(output) {
      if (output.type === "text") {
        // One message has one text here: what the script says in two steps is kept apart by an empty line.
        if (output !== texts[0]) yield chunk({ content: "\n\n" });
        return yield* paced(output, (content) => chunk({ content }));
      }
      if (output.type === "think") {
        for (const piece of slices(output.text)) yield chunk({ reasoning_content: piece });
        return;
      }
      const index = calls.indexOf(output);
      const { name } = output;
      yield chunk({ tool_calls: [{ index, id: output.id, type: "function", function: { name, arguments: "" } }] });
      for (const piece of slices(JSON.stringify(output.input))) {
        yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    },
    close: () => [],
    finish: () => [
      chunk({}, finishReason(answer)),
      { name: null, data: { ...head, choices: [], usage: usageOf(answer.usage) } },
      { name: null, data: "[DONE]" },
    ],
    fail: () =>
      answer.ending.type === "failure" ? [{ name: null, data: { error: openAiError(answer.ending.failure) } }] : [],
  };
}

export function wholeCompletion(answer: Answer, exchange: Exchange): unknown {
  const calls = answer.outputs.flatMap(wholeCall);
  const texts = answer.outputs.flatMap((output) => (output.type === "text" ? [output.pieces.join("")] : []));
  const reasoning = answer.outputs.flatMap((output) => (output.type === "think" ? [output.text] : [])).join("\n");
  const message = {
    role: "assistant",
    content: texts.join("\n\n") || null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReason(answer) }];
  return { ...envelope(exchange), object: "chat.completion", choices, usage: usageOf(answer.usage) };
}

function wholeCall(output: Output): unknown[] {
  if (output.type !== "call") return [];
  const call = { name: output.name, arguments: JSON.stringify(output.input) };
  return [{ id: output.id, type: "function", function: call }];
}

function envelope(exchange: Exchange) {
  return { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model: exchange.model };
}

function finishReason(answer: Answer): string {
  return answer.outputs.some((output) => output.type === "call") ? "tool_calls" : "stop";
}

function usageOf(usage: Usage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}
