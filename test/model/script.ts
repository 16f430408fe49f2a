/**
 * The script language of the scripted models: markers in double square brackets inside a prompt, executed in order.
 * This file only reads them; `conversation.ts` decides which of them run in which response.
 */

export type Step =
  | { kind: "say"; text: string }
  | { kind: "think"; text: string }
  | { kind: "tool"; name: string; input: ToolInput; parallel: boolean }
  | { kind: "mcp"; server: string; tool: string; input: ToolInput }
  | { kind: "sh"; command: string }
  | { kind: "write"; path: string; content: string }
  | { kind: "edit"; path: string; before: string; after: string }
  | { kind: "ask"; question: string; options: string[]; multiple: boolean }
  | { kind: "plan"; text: string }
  | { kind: "todo"; items: string[] }
  | { kind: "task"; prompt: string }
  | { kind: "slow"; count: number; delayMs: number }
  | { kind: "long"; length: number }
  | { kind: "error"; status: number; type: string | null; once: boolean }
  | { kind: "drop"; always: boolean }
  | { kind: "hang" }
  | { kind: "image" }
  | { kind: "context" }
  | { kind: "recall" }
  | { kind: "usage"; input: number; output: number; cached: number }
  | { kind: "echo-tools" };

/** A JSON object for ordinary tools, plain text for freeform ones. */
export type ToolInput = Record<string, unknown> | string;

type Reader = (text: string) => Step;

const readers: Record<string, Reader> = {
  say: (text) => ({ kind: "say", text }),
  think: (text) => ({ kind: "think", text }),
  tool: (text) => readTool(text, false),
  tools: (text) => readTool(text, true),
  mcp: readMcp,
  sh: (command) => ({ kind: "sh", command }),
  write: readWrite,
  edit: readEdit,
  ask: (text) => readAsk(text, false),
  askmulti: (text) => readAsk(text, true),
  plan: (text) => ({ kind: "plan", text }),
  todo: (text) => ({ kind: "todo", items: list(text, ";") }),
  task: (text) => ({ kind: "task", prompt: text.replaceAll("{{", "[[").replaceAll("}}", "]]") }),
  slow: readSlow,
  long: (text) => ({ kind: "long", length: wholeNumber(text) }),
  error: readError,
  drop: (text) => ({ kind: "drop", always: text === "always" }),
  hang: () => ({ kind: "hang" }),
  image: () => ({ kind: "image" }),
  context: () => ({ kind: "context" }),
  recall: () => ({ kind: "recall" }),
  usage: readUsage,
  "echo-tools": () => ({ kind: "echo-tools" }),
};

/** The steps of a prompt. A prompt without markers is repeated, shortened. An unknown marker is answered with an error text. */
export function parseScript(prompt: string): Step[] {
  const markers = findMarkers(prompt);
  if (markers.length === 0) return [{ kind: "say", text: `You said: ${shorten(prompt.trim(), 200)}` }];
  return markers.map(readMarker);
}

function readMarker(marker: string): Step {
  const [, name = "", text = ""] = /^([a-z-]+)\s*([\s\S]*)$/.exec(marker) ?? [];
  const reader = readers[name];
  if (!reader) return { kind: "say", text: `Unknown marker: ${shorten(marker, 80)}` };
  try {
    return reader(text.trimEnd());
  } catch (cause) {
    return { kind: "say", text: `Unreadable marker ${shorten(marker, 80)}: ${String(cause)}` };
  }
}

/** The insides of the outermost markers. Nested brackets belong to the outer marker, so shell tests and JSON survive. */
function findMarkers(prompt: string): string[] {
  const found: string[] = [];
  const opening = /\[\[(?=[a-z][a-z-]*(?:\s|\]\]))/g;
  for (let match = opening.exec(prompt); match; match = opening.exec(prompt)) {
    const start = match.index + 2;
    const end = endOfMarker(prompt, start);
    if (end < 0) break;
    found.push(prompt.slice(start, end));
    opening.lastIndex = end + 2;
  }
  return found;
}

function endOfMarker(prompt: string, start: number): number {
  const json = /^(?:tools?\s+\S+|mcp\s+\S+\s+\S+)\s+(?=\{)/.exec(prompt.slice(start));
  const afterJson = json ? endOfJson(prompt, start + json[0].length) : -1;
  if (afterJson >= 0) return prompt.indexOf("]]", afterJson);
  let depth = 1;
  const bracket = /\[\[|\]\]/g;
  bracket.lastIndex = start;
  for (let match = bracket.exec(prompt); match; match = bracket.exec(prompt)) {
    depth += match[0] === "[[" ? 1 : -1;
    if (depth === 0) return match.index;
  }
  return -1;
}

/** The index after the JSON object that begins at `start`, or -1. */
function endOfJson(prompt: string, start: number): number {
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[{}]/g;
  token.lastIndex = start;
  for (let match = token.exec(prompt); match; match = token.exec(prompt)) {
    if (match[0] === "{") depth += 1;
    if (match[0] === "}") depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return -1;
}

function readTool(text: string, parallel: boolean): Step {
  const [, name = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === "") throw new Error("a tool name is missing");
  if (rest !== "" && !rest.startsWith("{")) return { kind: "tool", name, input: rest, parallel };
  return { kind: "tool", name, input: jsonObject(rest), parallel };
}

function readMcp(text: string): Step {
  const [, server = "", tool = "", rest = ""] = /^(\S+)\s+(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (tool === "") throw new Error("expected SERVER TOOL {json}");
  return { kind: "mcp", server, tool, input: jsonObject(rest) };
}

function jsonObject(text: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(JSON.parse(text || "{}")));
}

function readWrite(text: string): Step {
  const [, path = "", content = ""] = /^(\S+)\s?([\s\S]*)$/.exec(text) ?? [];
  return { kind: "write", path, content };
}

function readEdit(text: string): Step {
  const [, path = "", before = "", after = ""] = /^(\S+)\s([\s\S]*?)\s=>\s?([\s\S]*)$/.exec(text) ?? [];
  if (path === "") throw new Error("expected PATH OLD => NEW");
  return { kind: "edit", path, before, after };
}

function readAsk(text: string, multiple: boolean): Step {
  const [question = "", ...options] = list(text, "|");
  return { kind: "ask", question, options: options.length > 0 ? options : ["Yes", "No"], multiple };
}

function readSlow(text: string): Step {
  const [count = "", delayMs = ""] = text.split(/\s+/);
  return { kind: "slow", count: wholeNumber(count), delayMs: wholeNumber(delayMs) };
}

function readError(text: string): Step {
  const [status = "", ...words] = text.split(/\s+/);
  const type = words.find((word) => word !== "once") ?? null;
  return { kind: "error", status: wholeNumber(status), type, once: words.includes("once") };
}

function readUsage(text: string): Step {
  const [input = "", output = "", cached = "0"] = text.split(/\s+/);
  return { kind: "usage", input: wholeNumber(input), output: wholeNumber(output), cached: wholeNumber(cached) };
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}

function list(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
