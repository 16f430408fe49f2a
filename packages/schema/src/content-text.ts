/** The text in content, and content that grows by deltas. Without zod, so that clients get the fold alone. */
import type { ContentPart } from "./content.ts";

/** The text a reader of the conversation sees in these parts: text parts joined by newlines. */
export function textOf(content: readonly ContentPart[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

/**
 * Content after one more delta: the delta extends the last part when that part carries text; otherwise a new text part
 * begins.
 */
export function extendContent(content: readonly ContentPart[], delta: string): ContentPart[] {
  const before = content.slice(0, -1);
  const last = content.at(-1);
  if (last?.type === "text" || last?.type === "reasoning") return [...before, { ...last, text: last.text + delta }];
  if (last?.type === "tool_result") return [...before, { ...last, output: last.output + delta }];
  if (last?.type === "tool_call") return [...before, { ...last, arguments: last.arguments + delta }];
  return [...content, { type: "text", text: delta }];
}
