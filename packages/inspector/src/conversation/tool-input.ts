/** A summary of a tool's arguments, for the line of its call and for permission requests. */
const summaryFields = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
  "title",
];

export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The most important value of an input, on one line; empty when there is none. */
export function inputSummary(input: unknown): string {
  if (typeof input === "string") return oneLine(input);
  if (!isRecord(input)) return "";
  for (const name of summaryFields) {
    const text = asText(input[name]);
    if (text) return oneLine(text);
  }
  const first = Object.values(input).map(asText).find(Boolean);
  return oneLine(first ?? "");
}

/** The command line in an input, or null. */
export function commandOf(input: unknown): string | null {
  if (!isRecord(input)) return null;
  return asText(input.command) ?? asText(input.cmd) ?? commandOf(input.input ?? input.toolInput ?? null);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.join(" ");
  return null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}
