/** A conversation told in words, for an agent that goes on with it under another session. Pure. */
import { type TranscriptItem, textOf } from "@sandbox-agent/schema";

const maxCharacters = 60_000;

export function preambleOf(items: readonly TranscriptItem[]): string | null {
  const told = items.map(tell).filter((text) => text !== "");
  if (told.length === 0) return null;
  const story = told.join("\n\n");
  const kept = story.length <= maxCharacters ? story : `[the beginning is left out]\n${story.slice(-maxCharacters)}`;
  return `This conversation continues an earlier one, which went like this:\n\n${kept}\n\nThe new message is:`;
}

function tell(item: TranscriptItem): string {
  if (item.kind === "message") {
    const text = textOf(item.content);
    return text && `${item.role === "user" ? "User" : "Assistant"}: ${text}`;
  }
  return item.content
    .map((part) => {
      if (part.type === "tool_call") return `Tool call ${part.name}: ${part.arguments}`;
      return part.type === "tool_result" ? `Tool result: ${part.output}` : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}
