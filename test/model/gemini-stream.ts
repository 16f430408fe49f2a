/** Gemini `generateContent`, the writing half: chunks, or one whole answer. */
import type { Answer, Exchange, Output, Usage } from "./exchange.ts";
import { geminiError } from "./gemini.ts";
import { type Dialect, paced, type SseEvent, slices } from "./sse.ts";

export function geminiDialect(answer: Answer, exchange: Exchange): Dialect {
  const chunk = (parts: unknown[], finishReason?: string): SseEvent => ({
    name: null,
    data: { ...envelope(exchange, answer.usage), candidates: [candidate(parts, finishReason)] },
  });
  const texts = answer.outputs.filter((output) => output.type === "text");
  return {
    start: () => [],
    *open(output) {
      if (output.type === "call") return yield chunk([callPart(output)]);
      if (output.type === "think") {
        for (const text of slices(output.text)) yield chunk([{ text, thought: true }]);
        return;
      }
      // One message has one text here: what the script says in two steps is kept apart by an empty line.
      if (output !== texts[0]) yield chunk([{ text: "\n\n" }]);
      yield* paced(output, (text) => chunk([{ text }]));
    },
    close: () => [],
    finish: () => [chunk([{ text: "" }], "STOP")],
    fail: () =>
      answer.ending.type === "failure" ? [{ name: null, data: { error: geminiError(answer.ending.failure) } }] : [],
  };
}

export function wholeContent(answer: Answer, exchange: Exchange): unknown {
  return {
    ...envelope(exchange, answer.usage),
    candidates: [candidate(answer.outputs.map(wholePart), "STOP")],
  };
}

function candidate(parts: unknown[], finishReason?: string) {
  return { content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) };
}

function wholePart(output: Output): unknown {
  if (output.type === "call") return callPart(output);
  return output.type === "think" ? { text: output.text, thought: true } : { text: output.pieces.join("") };
}

/** Models sign their calls, and want the signature back. */
function callPart({ id, name, input }: Extract<Output, { type: "call" }>) {
  return { functionCall: { id, name, args: input }, thoughtSignature: "c2NyaXB0ZWQ=" };
}

function envelope({ model }: Exchange, { input, output, cached }: Usage) {
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    cachedContentTokenCount: cached,
  };
  return { modelVersion: model, responseId: crypto.randomUUID(), usageMetadata };
}
