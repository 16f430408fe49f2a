/** The icon of a tool, chosen by its name. */
import { FilePen, FileText, Globe, ListTodo, type LucideIcon, Search, SquareTerminal, Wrench } from "lucide-react";

/** Patterns for the names of tools. The first match wins. */
const icons: readonly [RegExp, LucideIcon][] = [
  [/todo|plan/i, ListTodo],
  [/web|fetch|url|browser/i, Globe],
  [/bash|shell|exec|command|terminal|powershell/i, SquareTerminal],
  [/edit|write|patch|create|file_?change/i, FilePen],
  [/grep|glob|search|find|list|^ls$/i, Search],
  [/read|view|cat|open/i, FileText],
];

export function ToolIcon({ name }: { name: string }) {
  const [, Icon] = icons.find(([pattern]) => pattern.test(name)) ?? [null, Wrench];
  return <Icon aria-hidden />;
}
