/**
 * What the model says: text, reasoning and tool calls, each block of a message an item. Blocks are streamed; the message
 * then comes once more as a whole, which is the truth: a stream can break off at any point.
 */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemShape, message, started, toolCall, unknownItem } from "../../item-drafts.ts";
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  MessageUpdate,
  TextContent,
  ThinkingContent,
  ToolCall,
} from "../native.ts";

export function createMessages() {
  /** Messages have no ids; the time of their creation and a count tell them apart. */
  let current = "";
  let count = 0;
  /** Items of the current message, by the index of their block. */
  let open = new Map<number, string>();

  function idOf(index: number): string {
    return open.get(index) ?? `${current}:${index}`;
  }

  function start(index: number, shape: ItemShape, raw: unknown): Draft[] {
    open.set(index, shape.id);
    return [started(shape, raw)];
  }

  function updated(event: AssistantMessageEvent, raw: unknown): Draft[] {
    const { contentIndex: index = 0, delta: piece = "" } = event;
    switch (event.type) {
      case "text_start":
        return start(index, message({ id: idOf(index) }, []), raw);
      case "thinking_start":
        return start(index, message({ id: idOf(index) }, [reasoning("")]), raw);
      case "toolcall_start":
        return start(index, toolCall({ id: event.id ?? idOf(index) }, event.toolName ?? "", ""), raw);
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        return piece === "" ? [] : [delta(idOf(index), piece, raw)];
      // The whole message follows at once, with the same content.
      default:
        return [];
    }
  }

  function block(value: unknown, index: number, failed: boolean, raw: unknown): Draft {
    const id = idOf(index);
    const text = TextContent.safeParse(value).data;
    if (text) return completed(message({ id }, [{ type: "text", text: text.text }]), raw, { failed });
    const thought = ThinkingContent.safeParse(value).data;
    if (thought) return completed(message({ id }, [reasoning(thought.thinking)]), raw, { failed });
    const call = ToolCall.safeParse(value).data;
    if (!call) return unknownItem(id, raw);
    return completed(toolCall({ id: call.id }, call.name, JSON.stringify(call.arguments ?? {})), raw, { failed });
  }

  return {
    begun(timestamp: number | undefined): void {
      count += 1;
      current = `${timestamp ?? 0}-${count}`;
      open = new Map();
    },
    updated(raw: unknown): Draft[] {
      return updated(MessageUpdate.parse(raw).assistantMessageEvent, raw);
    },
    ended(native: AssistantMessage, raw: unknown): Draft[] {
      const failed = native.stopReason === "error" || native.stopReason === "aborted";
      const drafts = native.content.map((value, index) => block(value, index, failed, raw));
      open = new Map();
      return drafts;
    },
  };
}

/** Without text the reasoning was kept back by the provider. */
function reasoning(text: string): ContentPart {
  return { type: "reasoning", text, visibility: text === "" ? "private" : "public" };
}
