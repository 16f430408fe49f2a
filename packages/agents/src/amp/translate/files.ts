/**
 * Files changed by Amp's tools. The diff is Amp's own (edit_file) or derived from the patch (apply_patch); what create_file
 * has overwritten is unknown.
 */
import type { ContentPart } from "@sandbox-agent/schema";
import { parseJson, stringAt } from "../../json.ts";

export function fileParts(tool: string, input: unknown, output: string): ContentPart[] {
  const path = stringAt(input, "path");
  switch (tool) {
    case "Read":
      return path ? [{ type: "file_ref", path, action: "read" }] : [];
    case "create_file":
      return path ? [{ type: "file_ref", path, action: "write" }] : [];
    case "edit_file": {
      const diff = stringAt(parseJson(output), "diff")?.replace(/^```diff\n|\n?```\s*$/g, "");
      return path ? [{ type: "file_ref", path, action: "patch", ...(diff && { diff }) }] : [];
    }
    case "apply_patch":
      return patchedFiles(stringAt(input, "patchText") ?? "");
    default:
      return [];
  }
}

const fileHeader = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** A patch lists its files one after the other: `*** Add File: path`, then its lines. */
function patchedFiles(patch: string): ContentPart[] {
  const sections: { kind: string; path: string; lines: string[] }[] = [];
  for (const line of patch.split("\n")) {
    const [, kind, path] = fileHeader.exec(line) ?? [];
    if (kind && path) sections.push({ kind, path, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ kind, path, lines }) => filePart(kind, path, lines));
}

function filePart(kind: string, path: string, lines: string[]): ContentPart {
  if (kind === "Delete") return { type: "file_ref", path, action: "patch", diff: `--- a/${path}\n+++ /dev/null\n` };
  const body = lines.filter((line) => line !== "" && !line.startsWith("*** "));
  if (kind === "Add") {
    const head = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${body.length} @@\n`;
    return { type: "file_ref", path, action: "write", diff: `${head}${body.join("\n")}\n` };
  }
  const target = lines.find((line) => line.startsWith("*** Move to: "))?.slice("*** Move to: ".length) ?? path;
  const diff = `--- a/${path}\n+++ b/${target}\n${body.map((line) => (line.startsWith("@@") ? hunkHead(line) : line)).join("\n")}\n`;
  return { type: "file_ref", path: target, action: "patch", diff };
}

/** Hunks have no line numbers; the text after `@@` is their context. */
function hunkHead(line: string): string {
  return `@@ @@${line.slice(2)}`;
}
