/** Formats parts of a conversation as text. */
import type { Todo } from "@sandbox-agent/schema";
import type { Style } from "./style.ts";

/** One line of at most this many characters. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** A coloured unified diff. */
export function formatDiff(diff: string, style: Style): string {
  return diff
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
      if (line.startsWith("+")) return style.green(line);
      if (line.startsWith("-")) return style.red(line);
      return line.startsWith("@@") ? style.cyan(line) : line;
    })
    .join("\n");
}

const marks: Record<string, string> = { completed: "[x]", in_progress: "[~]" };

export function formatTodos(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `${marks[status] ?? "[ ]"} ${content}`).join("\n");
}
