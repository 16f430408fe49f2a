/** The text in a tool's output, whose shape depends on the tool: a string, or blocks of which some have text. */
import { stringAt } from "../../json.ts";

export function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  if (!Array.isArray(output)) return JSON.stringify(output) ?? "";
  return output.map(blockText).join("\n");
}

/** Other blocks become JSON, without the bytes of images and audio. */
function blockText(block: unknown): string {
  return stringAt(block, "text") ?? JSON.stringify(block, shortened);
}

function shortened(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 1000
    ? `${value.slice(0, 100)}… (${value.length} characters)`
    : value;
}
