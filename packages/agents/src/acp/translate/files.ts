/** The files that a finished tool call has read or changed. */
import type { ContentPart } from "@sandbox-agent/schema";
import { createTwoFilesPatch } from "diff";
import type { ToolContent } from "../native.ts";

type FileRef = Extract<ContentPart, { type: "file_ref" }>;

/** Time limit of a diff: very different files could take minutes. */
const comparingLimitMs = 500;

export interface Touched {
  kind: string | null;
  diffs: readonly ToolContent[];
  paths: readonly string[];
}

export function fileRefs({ kind, diffs, paths }: Touched): FileRef[] {
  if (diffs.length > 0) return diffs.flatMap(changedFile);
  if (kind === "read") return paths.map((path) => ({ type: "file_ref", path, action: "read" }));
  if (kind === "edit") return paths.map((path) => ({ type: "file_ref", path, action: "patch" }));
  return [];
}

function changedFile({ path, oldText, newText }: ToolContent): FileRef[] {
  if (!path) return [];
  const before = oldText ?? "";
  const action = before === "" ? "write" : "patch";
  const oldPath = before === "" ? "/dev/null" : path;
  const headerOptions = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };
  const options = { timeout: comparingLimitMs, headerOptions };
  const diff = createTwoFilesPatch(oldPath, path, before, newText ?? "", undefined, undefined, options);
  return [{ type: "file_ref", path, action, ...(diff !== undefined && { diff }) }];
}
