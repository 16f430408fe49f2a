/** Converts parts of an item to ACP content. Pure. */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock, ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { ContentPart } from "@sandbox-agent/schema";
import { diffsOf } from "./diff.ts";

/** The content of a part; null for parts that are not shown. */
export function contentBlock(part: ContentPart): ContentBlock | null {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return part.visibility === "public" ? { type: "text", text: part.text } : null;
    case "json":
      return { type: "text", text: JSON.stringify(part.json, null, 2) };
    case "image":
      return fileLink(part.path, part.mime);
    case "file_ref":
      return fileLink(part.path);
    default:
      return null;
  }
}

/** The content of a tool's result: its output, then its diffs. */
export function toolContent(content: readonly ContentPart[]): ToolCallContent[] {
  return content.flatMap((part): ToolCallContent[] => {
    if (part.type === "file_ref") return diffsOf(part.path, part.diff ?? "").map((diff) => ({ type: "diff", ...diff }));
    const shown: ContentBlock | null =
      part.type === "tool_result" ? { type: "text", text: part.output } : contentBlock(part);
    return shown ? [{ type: "content", content: shown }] : [];
  });
}

/** Contains only the path; clients on the same machine can read the file. */
function fileLink(path: string, mimeType?: string | null): ContentBlock {
  const uri = path.startsWith("/") ? pathToFileURL(path).href : encodeURI(path);
  return { type: "resource_link", uri, name: basename(path), ...(mimeType && { mimeType }) };
}
