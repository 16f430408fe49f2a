/** Native items that are tool calls: their name, input and outcome. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { ThreadItem } from "../generated/protocol.ts";
import { changeSummary, fileRefs } from "./file-changes.ts";
import { outputText } from "./output-text.ts";

type OfType<T extends ThreadItem["type"]> = Extract<ThreadItem, { type: T }>;

/** A subagent of the newer kind: there is an item for its start but none for the call that started it. */
type SubagentStart = OfType<"subAgentActivity"> & { kind: "started" };

const toolTypes = [
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "webSearch",
  "imageView",
  "imageGeneration",
  "collabAgentToolCall",
  "functionCallOutput",
] as const satisfies ThreadItem["type"][];

export type ToolItem = SubagentStart | OfType<(typeof toolTypes)[number]>;

export function isTool(item: ThreadItem): item is ToolItem {
  return toolTypes.some((type) => type === item.type) || (item.type === "subAgentActivity" && item.kind === "started");
}

/** Whether the arguments are complete when the item starts. The query of a search is only known at its end. */
export function isCallComplete(item: ToolItem): boolean {
  return item.type !== "webSearch" && item.type !== "imageGeneration";
}

export function callOf(item: ToolItem): { name: string; input: unknown } {
  switch (item.type) {
    case "commandExecution":
      return { name: "shell", input: { command: commandOf(item), cwd: item.cwd } };
    case "fileChange":
      return { name: "apply_patch", input: { changes: item.changes } };
    case "mcpToolCall":
      return { name: `mcp__${item.server}__${item.tool}`, input: item.arguments };
    case "dynamicToolCall":
      return { name: item.namespace ? `${item.namespace}.${item.tool}` : item.tool, input: item.arguments };
    case "webSearch":
      return { name: "web_search", input: { query: item.query, action: item.action ?? null } };
    case "imageView":
      return { name: "view_image", input: { path: item.path } };
    case "imageGeneration":
      return { name: "image_generation", input: { prompt: item.revisedPrompt ?? null } };
    case "collabAgentToolCall":
      return { name: item.tool, input: { prompt: item.prompt, model: item.model, agents: item.receiverThreadIds } };
    case "subAgentActivity":
      return { name: "spawnAgent", input: { agent: item.agentPath } };
    case "functionCallOutput":
      return { name: item.name, input: {} };
  }
}

export interface ToolOutcome {
  output: string;
  parts: ContentPart[];
  failed: boolean;
}

export function outcomeOf(item: ToolItem): ToolOutcome {
  switch (item.type) {
    case "commandExecution":
      return commandOutcome(item);
    case "fileChange":
      return fileOutcome(item);
    case "mcpToolCall": {
      const output = item.error?.message ?? outputText(item.result?.content ?? []);
      const structured = item.result?.structuredContent;
      const parts: ContentPart[] = structured ? [{ type: "json", json: structured }] : [];
      return { output, parts, failed: item.status === "failed" };
    }
    case "dynamicToolCall":
      return { output: outputText(item.contentItems ?? []), parts: [], failed: item.success === false };
    case "webSearch":
      return { output: item.query, parts: [], failed: false };
    case "imageView":
      return { output: item.path, parts: [{ type: "image", path: item.path }], failed: false };
    case "imageGeneration": {
      const { savedPath: path } = item;
      return {
        output: path ?? item.status,
        parts: path ? [{ type: "image", path }] : [],
        failed: item.status === "failed",
      };
    }
    case "collabAgentToolCall": {
      const messages = Object.values(item.agentsStates).flatMap(({ message }) => (message ? [message] : []));
      const agents: ContentPart = { type: "json", json: { agents: item.agentsStates } };
      return { output: messages.join("\n") || item.status, parts: [agents], failed: item.status === "failed" };
    }
    case "subAgentActivity":
      return { output: `${item.agentPath} started`, parts: [], failed: false };
    case "functionCallOutput":
      return { output: outputText(item.output), parts: [], failed: false };
  }
}

function commandOutcome({ aggregatedOutput, exitCode, status }: OfType<"commandExecution">): ToolOutcome {
  const output = aggregatedOutput ?? (status === "declined" ? "The command was declined." : "");
  const parts: ContentPart[] = typeof exitCode === "number" ? [{ type: "json", json: { exit_code: exitCode } }] : [];
  return { output, parts, failed: status === "failed" || status === "declined" };
}

function fileOutcome({ changes, status }: OfType<"fileChange">): ToolOutcome {
  const failed = status === "failed" || status === "declined";
  if (failed)
    return { output: `The change was ${status === "declined" ? "declined" : "not applied"}.`, parts: [], failed };
  return { output: changeSummary(changes), parts: fileRefs(changes), failed };
}

/** The command as the model wrote it; `command` wraps it in a shell. */
export function commandOf({ command, commandActions }: OfType<"commandExecution">): string {
  return commandActions.length === 1 ? (commandActions[0]?.command ?? command) : unwrapped(command);
}

const wrapper = /^\S*\b(?:bash|sh|zsh) -l?c (.+)$/s;

function unwrapped(command: string): string {
  const inner = wrapper.exec(command)?.[1] ?? command;
  const quoted = /^'([\s\S]*)'$/.exec(inner)?.[1];
  return quoted?.replaceAll(`'"'"'`, "'").replaceAll("'\\''", "'") ?? inner;
}
