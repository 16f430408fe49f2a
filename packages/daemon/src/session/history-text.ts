/** A conversation as text that a model can read: for agents that cannot take up a conversation of their own again. */
import type { ContentPart, TranscriptItem } from "@sandbox-agent/schema";

/** The newest part counts; a model's context is not endless. */
const maxCharacters = 100_000;
const maxItemCharacters = 4000;

/** null when nothing was said. */
export function historyText(items: readonly TranscriptItem[]): string | null {
  const texts: string[] = [];
  let characters = 0;
  for (const item of items.toReversed()) {
    const text = itemText(item);
    if (text === "") continue;
    texts.unshift(text);
    characters += text.length + separator.length;
    if (characters > maxCharacters) break;
  }
  if (texts.length === 0) return null;
  const text = texts.join(separator);
  return text.length <= maxCharacters ? text : `[…]\n${text.slice(-maxCharacters)}`;
}

const separator = "\n\n";

/** A message to somebody who has not been there. */
export function withHistory(history: string | null, message: string): string {
  return history === null ? message : `${note}\n\n${history}\n\n---\n\n${message}`;
}

const note =
  "This conversation continues an earlier one. This is what was said and done there; the new message follows below the line.";

function itemText({ kind, role, content }: TranscriptItem): string {
  const text = content.map(partText).filter(Boolean).join("\n");
  if (text === "") return "";
  const speaker = kind === "tool_call" ? "Tool call" : kind === "tool_result" ? "Tool result" : speakers[role ?? ""];
  return speaker ? `${speaker}: ${shortened(text)}` : "";
}

const speakers: Record<string, string> = { user: "User", assistant: "Assistant" };

function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool_call":
      return `${part.name} ${part.arguments}`;
    case "tool_result":
      return part.output;
    case "image":
    case "file_ref":
      return `[${part.type === "image" ? "image" : part.action} ${part.path}]`;
    default:
      return "";
  }
}

function shortened(text: string): string {
  return text.length <= maxItemCharacters ? text : `${text.slice(0, maxItemCharacters)}[…]`;
}
