/** The files that a finished tool call has read or changed. */
import type { ContentPart } from "@sandbox-agent/schema";
import { stringAt, valueAt } from "../../json.ts";
import type { ToolStateCompleted } from "../generated/api.ts";

type FileRef = Extract<ContentPart, { type: "file_ref" }>;

/** `requestDiff`: the diff of the permission request, for tools that do not repeat it in their result. */
export function fileRefs(tool: string, state: ToolStateCompleted, requestDiff: string | null): FileRef[] {
  const { input, metadata } = state;
  const path = stringAt(input, "filePath") ?? stringAt(metadata, "filepath");
  switch (tool) {
    case "read":
      return path ? [{ type: "file_ref", path, action: "read" }] : [];
    case "write": {
      const content = stringAt(input, "content") ?? "";
      const diff = requestDiff ?? (valueAt(metadata, "exists") === false ? newFileDiff(path ?? "", content) : null);
      return path ? [{ type: "file_ref", path, action: "write", ...(diff && { diff }) }] : [];
    }
    case "edit": {
      const diff = stringAt(metadata, "diff") ?? requestDiff;
      return path ? [{ type: "file_ref", path, action: "patch", ...(diff && { diff }) }] : [];
    }
    default:
      return patchedFiles(metadata);
  }
}

/** Tools that change several files at once list them in their metadata. */
function patchedFiles(metadata: Record<string, unknown>): FileRef[] {
  const files = metadata.files;
  if (!Array.isArray(files)) return [];
  return files.flatMap((file: unknown): FileRef[] => {
    const path = stringAt(file, "movePath") ?? stringAt(file, "filePath") ?? stringAt(file, "relativePath");
    const diff = stringAt(file, "patch") ?? stringAt(file, "diff");
    const action = valueAt(file, "type") === "add" ? "write" : "patch";
    return path ? [{ type: "file_ref", path, action, ...(diff && { diff }) }] : [];
  });
}

export function newFileDiff(path: string, content: string): string {
  const lines = content.split("\n");
  const endsWithNewline = lines.at(-1) === "";
  if (endsWithNewline) lines.pop();
  if (lines.length === 0) return `--- /dev/null\n+++ ${path}\n`;
  const added = lines.map((line) => `+${line}`).join("\n");
  const note = endsWithNewline ? "" : "\n\\ No newline at end of file";
  return `--- /dev/null\n+++ ${path}\n@@ -0,0 +1,${lines.length} @@\n${added}${note}\n`;
}
