/** File changes as references with unified diffs. Codex sends hunks for updates, and plain content for other changes. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { FileUpdateChange } from "../generated/protocol.ts";

export function fileRefs(changes: readonly FileUpdateChange[]): ContentPart[] {
  return changes.map((change) => ({
    type: "file_ref",
    path: targetOf(change),
    action: change.kind.type === "add" ? "write" : "patch",
    diff: unifiedDiff(change),
  }));
}

/** One line per file, for readers of the tool's result. */
export function changeSummary(changes: readonly FileUpdateChange[]): string {
  return changes
    .map((change) => `${change.kind.type} ${change.path}${isMove(change) ? ` -> ${targetOf(change)}` : ""}`)
    .join("\n");
}

export function unifiedDiff(change: FileUpdateChange): string {
  const { path, kind, diff } = change;
  if (kind.type === "add") return `--- /dev/null\n+++ ${path}\n${wholeFile(diff, "+")}`;
  if (kind.type === "delete") return `--- ${path}\n+++ /dev/null\n${wholeFile(diff, "-")}`;
  // For a moved file Codex appends the target as text after the hunks.
  const hunks = diff.replace(/\n+Moved to: [^\n]*$/, "\n");
  return `--- ${path}\n+++ ${targetOf(change)}\n${hunks}`;
}

function wholeFile(content: string, sign: "+" | "-"): string {
  if (content === "") return "";
  const endsInNewline = content.endsWith("\n");
  const lines = (endsInNewline ? content.slice(0, -1) : content).split("\n");
  const range = lines.length === 1 ? "1" : `1,${lines.length}`;
  const header = sign === "+" ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`;
  const body = lines.map((line) => `${sign}${line}\n`).join("");
  return `${header}\n${body}${endsInNewline ? "" : "\\ No newline at end of file\n"}`;
}

function targetOf({ path, kind }: FileUpdateChange): string {
  return (kind.type === "update" && kind.move_path) || path;
}

function isMove({ kind }: FileUpdateChange): boolean {
  return kind.type === "update" && typeof kind.move_path === "string";
}
