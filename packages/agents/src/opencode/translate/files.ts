/** Which files a finished tool call has read or changed, and how. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { ToolStateCompleted } from "../generated/api.ts";
import { memberOf } from "./native.ts";

type FileRef = Extract<ContentPart, { type: "file_ref" }>;

/** `askedDiff`: the diff that was shown when permission was asked, for tools that do not repeat it in their result. */
export function fileRefs(tool: string, state: ToolStateCompleted, askedDiff: string | null): FileRef[] {
  const { input, metadata } = state;
  const path = stringOf(input, "filePath") ?? stringOf(metadata, "filepath");
  switch (tool) {
    case "read":
      return path ? [{ type: "file_ref", path, action: "read" }] : [];
    case "write": {
      const content = stringOf(input, "content") ?? "";
      const diff = askedDiff ?? (memberOf(metadata, "exists") === false ? newFileDiff(path ?? "", content) : null);
      return path ? [{ type: "file_ref", path, action: "write", ...(diff && { diff }) }] : [];
    }
    case "edit": {
      const diff = stringOf(metadata, "diff") ?? askedDiff;
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
    const path = stringOf(file, "movePath") ?? stringOf(file, "filePath") ?? stringOf(file, "relativePath");
    const diff = stringOf(file, "patch") ?? stringOf(file, "diff");
    const action = memberOf(file, "type") === "add" ? "write" : "patch";
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

export function stringOf(value: unknown, key: string): string | null {
  const member = memberOf(value, key);
  return typeof member === "string" ? member : null;
}
