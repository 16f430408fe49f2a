/** An icon for a tool, by what its name says it does. */
import { FilePen, FileText, Globe, ListTodo, type LucideIcon, Search, SquareTerminal, Wrench } from "lucide-react";

/** Words of names that agents give their tools; the first that is found counts. */
const icons: readonly [RegExp, LucideIcon][] = [
  [/todo|plan/i, ListTodo],
  [/web|fetch|url|browser/i, Globe],
  [/bash|shell|exec|command|terminal|powershell/i, SquareTerminal],
  [/edit|write|patch|create|file_?change/i, FilePen],
  [/grep|glob|search|find|list|^ls$/i, Search],
  [/read|view|cat|open/i, FileText],
];

export function ToolIcon({ name }: { name: string }) {
  const [, Icon] = icons.find(([words]) => words.test(name)) ?? [null, Wrench];
  return <Icon aria-hidden />;
}
