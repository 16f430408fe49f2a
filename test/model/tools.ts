/**
 * From the script's abstract steps to the tools an agent offers. Which agent is asking follows from the names of the
 * tools on offer, never from the protocol, so a new agent with known tool names works at once.
 */
import type { Exchange, OfferedTool } from "./exchange.ts";
import { toolNames } from "./report.ts";
import type { Step, ToolInput } from "./script.ts";
import { ask, edit, mcp, plan, shell, task, todo, write } from "./toolsets.ts";

export type PlannedCall =
  | { type: "text"; text: string }
  /** `search`: what to look for first, because the tool is not on offer yet. */
  | { type: "call"; name: string; namespace: string | null; input: ToolInput; search: string | null };

/** A tool call with its input, or a text. */
export type ToolRequest = { name: string; input: ToolInput; search?: string } | { text: string };

/** Groups of requests, one after the other; those of one group are sent together. Null: the agent does not offer the tool. */
export type Way = (offer: Offer) => ToolRequest[][] | null;

export interface Offer {
  has(name: string): boolean;
  exchange: Exchange;
}

/** The calls of a step by phase; none if the step calls no tool. */
export function resolveStep(step: Step, exchange: Exchange): PlannedCall[][] {
  if (step.kind === "tool") return [[toCall({ name: step.name, input: step.input, search: step.name }, exchange)]];
  const ways = waysOf(step);
  if (ways.length === 0) return [];
  const offer: Offer = { has: (name) => find(exchange, name) !== undefined, exchange };
  for (const way of ways) {
    const groups = way(offer);
    if (groups) return groups.map((group) => group.map((request) => toCall(request, exchange)));
  }
  return [[{ type: "text", text: `Cannot ${step.kind}: no tool for it among ${toolNames(exchange).join(", ")}.` }]];
}

function waysOf(step: Step): Way[] {
  if (step.kind === "sh") return shell(step.command);
  if (step.kind === "write") return write(step.path, step.content);
  if (step.kind === "edit") return edit(step.path, step.before, step.after);
  if (step.kind === "ask") return ask(step.question, step.options, step.multiple);
  if (step.kind === "plan") return plan(step.text);
  if (step.kind === "todo") return todo(step.items);
  if (step.kind === "task") return task(step.prompt);
  if (step.kind === "mcp") return mcp(step.server, step.tool, step.input);
  return [];
}

function find(exchange: Exchange, name: string): OfferedTool | undefined {
  return exchange.tools.find((tool) => tool.name === name || `${tool.namespace}.${tool.name}` === name);
}

function toCall(request: ToolRequest, exchange: Exchange): PlannedCall {
  if ("text" in request) return { type: "text", text: request.text };
  const tool = find(exchange, request.name);
  const hasForm = (form: OfferedTool["form"]) => exchange.tools.some((offered) => offered.form === form);
  if (tool?.form === "code" || (!tool && hasForm("code"))) return codeCall(request.name, request.input);
  const search = !tool && hasForm("search") ? (request.search ?? request.name) : null;
  const [name, namespace] = request.name.split(".").reverse();
  return {
    type: "call",
    name: name ?? request.name,
    namespace: tool?.namespace ?? namespace ?? null,
    input: request.input,
    search,
  };
}

/** Tools that are not listed can be called from the code all the same, their namespace joined by underscores. */
function codeCall(name: string, input: ToolInput): PlannedCall {
  const call = `const r = await tools.${name.replace(".", "__")}(${JSON.stringify(input)});`;
  const code = `${call}\ntext(r && r.output !== undefined ? r.output : r);\n`;
  return { type: "call", name: "exec", namespace: null, input: code, search: null };
}
