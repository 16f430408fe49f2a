/**
 * Content blocks of the model: text, reasoning and tool calls, one item each. Blocks are streamed and then sent once more in
 * a complete message, which counts, because a stream can break off at any point.
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
  /** Messages have no ids; their creation time and a counter identify them. */
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

  function fromUpdate(event: AssistantMessageEvent, raw: unknown): Draft[] {
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
      // The complete message follows with the same content.
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
    onStart(timestamp: number | undefined): void {
      count += 1;
      current = `${timestamp ?? 0}-${count}`;
      open = new Map();
    },
    onUpdate(raw: unknown): Draft[] {
      return fromUpdate(MessageUpdate.parse(raw).assistantMessageEvent, raw);
    },
    onEnd(native: AssistantMessage, raw: unknown): Draft[] {
      const failed = native.stopReason === "error" || native.stopReason === "aborted";
      const drafts = native.content.map((value, index) => block(value, index, failed, raw));
      open = new Map();
      return drafts;
    },
  };
}

/** Reasoning without text was withheld by the provider. */
function reasoning(text: string): ContentPart {
  return { type: "reasoning", text, visibility: text === "" ? "private" : "public" };
}
