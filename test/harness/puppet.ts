/** An agent that emits exactly the drafts of a test. */
import type { AgentRegistry, Draft, DraftItem, Sink } from "@sandbox-agent/agents";
import type { ContentPart, ItemKind } from "@sandbox-agent/schema";
import { agentsWithMock } from "./daemon.ts";

export interface Puppet {
  agents: AgentRegistry;
  /** Emits drafts in the session with that id. */
  emit(sessionId: string, ...drafts: Draft[]): Promise<void>;
}

/** Replaces the mock: sessions are created with `mock` as their agent. */
export function puppet(): Puppet {
  const sinks = new Map<string, Sink>();
  const nothing = async () => {};
  const agents = agentsWithMock(() => ({
    async open({ sessionId }, sink) {
      sinks.set(sessionId, sink);
      return {
        nativeSessionId: null,
        send: nothing,
        // Without a reason: the daemon adds `aborted`.
        abort: async () => void (await sink.emit([{ type: "turn.ended" }])),
        replyPermission: nothing,
        replyQuestion: nothing,
        configure: nothing,
        close: nothing,
      };
    },
  }));
  return {
    agents,
    async emit(sessionId, ...drafts) {
      const sink = sinks.get(sessionId);
      if (!sink) throw new Error(`no agent was opened for ${sessionId}`);
      await sink.emit(drafts);
    },
  };
}

function item(native_item_id: string, kind: ItemKind, content: ContentPart[]): DraftItem {
  return { native_item_id, kind, role: kind === "message" ? "assistant" : "tool", content };
}

/** A tool call with these arguments. */
export function toolCall(callId: string, args: unknown): Draft {
  const part = { type: "tool_call", name: "anything", arguments: JSON.stringify(args), call_id: callId } as const;
  return { type: "item.completed", item: item(`call ${callId}`, "tool_call", [part]) };
}

/** Its result, at its start or at its end. */
export function toolResult(type: "item.started" | "item.completed", callId: string, output: string): Draft {
  return { type, item: item(`result ${callId}`, "tool_result", [{ type: "tool_result", call_id: callId, output }]) };
}

export function toolOutput(callId: string, delta: string): Draft {
  return { type: "item.delta", native_item_id: `result ${callId}`, delta };
}

export function words(id: string, delta: string): Draft {
  return { type: "item.delta", native_item_id: id, delta };
}
