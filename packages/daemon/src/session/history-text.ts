/** A conversation as text for a model, for agents that cannot resume a conversation themselves. */
import type { ContentPart, TranscriptItem } from "@sandbox-agent/schema";

/** Only the newest part is kept, because a model's context is limited. */
const maxCharacters = 100_000;
const maxItemCharacters = 4000;

/** Returns null for a conversation without text. */
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

/** Puts the history before a message, for an agent that does not know it. */
export function withHistory(history: string | null, message: string): string {
  return history === null ? message : `${note}\n\n${history}\n\n---\n\n${message}`;
}

const note =
  "This conversation continues an earlier one. This is what happened there; the new message follows below the line.";

function itemText({ kind, role, content }: TranscriptItem): string {
  const text = content.map(partText).filter(Boolean).join("\n");
  if (text === "") return "";
  const label = kind === "tool_call" ? "Tool call" : kind === "tool_result" ? "Tool result" : roleLabels[role ?? ""];
  return label ? `${label}: ${shortened(text)}` : "";
}

const roleLabels: Record<string, string> = { user: "User", assistant: "Assistant" };

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
