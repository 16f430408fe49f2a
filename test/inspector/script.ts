/** An agent that emits given drafts in its first turn and is the mock afterwards. */
import type { AgentRegistry, Draft } from "@sandbox-agent/agents";
import type { ContentPart, ItemKind } from "@sandbox-agent/schema";
import { agentsWithMock } from "../harness/daemon.ts";

/** An item without deltas, with `parent` that of a subagent. */
export function completeItem(id: string, kind: ItemKind, content: ContentPart[], parent?: string): Draft[] {
  const role = kind === "tool_result" ? "tool" : "assistant";
  const item = { native_item_id: id, kind, role, content, ...(parent && { native_parent_id: parent }) } as const;
  return [
    { type: "item.started", item },
    { type: "item.completed", item, failed: false },
  ];
}

/** A tool call with its result. */
export function tool(id: string, name: string, input: object, output: string, more: ContentPart[] = []): Draft[] {
  return [...toolCall(id, name, input), ...toolResult(id, output, more)];
}

export function toolCall(id: string, name: string, input: object, parent?: string): Draft[] {
  const call: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(input), call_id: id };
  return completeItem(id, "tool_call", [call], parent);
}

export function toolResult(id: string, output: string, more: ContentPart[] = [], parent?: string): Draft[] {
  return completeItem(`${id}_result`, "tool_result", [{ type: "tool_result", call_id: id, output }, ...more], parent);
}

export function agentEmitting(drafts: Draft[]): AgentRegistry {
  return agentsWithMock((mock) => ({
    open: async (spec, sink) => {
      const session = await mock.open(spec, sink);
      return { ...session, send: async (turn) => (turn.number === 1 ? sink.emit(drafts) : session.send(turn)) };
    },
  }));
}
