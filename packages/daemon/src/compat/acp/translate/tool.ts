/** Kind, title and locations of a tool call for ACP clients, from its name and arguments. Pure. */
import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";

export interface ToolFace {
  kind: ToolKind;
  title: string;
  locations: ToolCallLocation[];
}

/** Words in agents' tool names, and the permission actions of the universal schema. */
const kinds: [ToolKind, RegExp][] = [
  ["execute", /bash|shell|exec|command|terminal/],
  ["fetch", /fetch|url|http/],
  ["search", /search|grep|glob|find|list|^ls$/],
  ["switch_mode", /plan_?mode|switch_?mode/],
  ["think", /think|task|agent|todo/],
  ["delete", /delete|remove/],
  ["move", /move|rename/],
  ["edit", /edit|write|patch|create|replace|file_?change/],
  ["read", /read|view|cat$|open/],
];

export function toolKind(name: string): ToolKind {
  const word = name.toLowerCase();
  return kinds.find(([, pattern]) => pattern.test(word))?.[0] ?? "other";
}

const text = z.string().min(1).optional().catch(undefined);
const Input = z.object({
  command: z
    .union([z.string().min(1), z.array(z.string())])
    .optional()
    .catch(undefined),
  file_path: text,
  filePath: text,
  notebook_path: text,
  path: text,
  pattern: text,
  query: text,
  url: text,
});

export function toolFace(name: string, rawInput: unknown): ToolFace {
  const kind = toolKind(name);
  const input = Input.safeParse(rawInput).data ?? {};
  const path = input.file_path ?? input.filePath ?? input.notebook_path ?? input.path;
  const locations = path === undefined ? [] : [{ path }];
  const command = Array.isArray(input.command) ? input.command.join(" ") : input.command;
  if (command) return { kind, title: command, locations };
  const subject = path ?? input.pattern ?? input.query ?? input.url;
  return { kind, title: subject ? `${name} ${subject}` : name, locations };
}
