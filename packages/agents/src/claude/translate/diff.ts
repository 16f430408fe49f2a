/** Unified diffs from the patches that Claude Code's file tools report. */
import type { FileEditOutput } from "../generated/protocol.ts";

type Hunks = NonNullable<FileEditOutput["structuredPatch"]>;

export function unifiedDiff(path: string, hunks: Hunks): string {
  const body = hunks.map(({ oldStart = 0, oldLines = 0, newStart = 0, newLines = 0, lines }) =>
    [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...(lines ?? [])].join("\n"),
  );
  return `${[`--- a${rooted(path)}`, `+++ b${rooted(path)}`, ...body].join("\n")}\n`;
}

/** A new file is all additions; the tools report no patch for it. */
export function creationDiff(path: string, content: string): string {
  const header = `--- /dev/null\n+++ b${rooted(path)}\n`;
  if (content === "") return header;
  const isComplete = content.endsWith("\n");
  const lines = (isComplete ? content.slice(0, -1) : content).split("\n");
  const end = isComplete ? "" : "\\ No newline at end of file\n";
  return `${header}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}${end}`;
}

function rooted(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}
