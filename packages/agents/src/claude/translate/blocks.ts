/**
 * Content blocks of the model: text, reasoning and tool calls, one item each. Blocks are streamed and then sent once more in
 * a complete message. The complete message counts: a stream can break off, and is then repeated under another id.
 */
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemShape, message, started, toolCall, unknownItem } from "../../item-drafts.ts";
import {
  BetaInputJSONDelta,
  BetaMessage,
  BetaRawContentBlockDeltaEvent,
  BetaRawContentBlockStartEvent,
  BetaRedactedThinkingBlock,
  BetaTextBlock,
  BetaTextDelta,
  BetaThinkingBlock,
  BetaThinkingDelta,
  BetaToolUseBlock,
} from "../generated/protocol.ts";
import { tagOf } from "./tag.ts";
import type { ToolCalls } from "./tools.ts";

interface OpenBlock {
  index: number;
  type: string;
  id: string;
}

export function createBlocks(tools: ToolCalls) {
  let streamed: { id: string; open: OpenBlock[] } = { id: "", open: [] };
  /** Number of blocks of messages that are not streamed, for their ids. */
  const counts = new Map<string, number>();

  function startMessage(value: unknown): void {
    streamed = { id: BetaMessage.parse(value).id, open: [] };
  }

  function startBlock(event: unknown, raw: unknown): Draft[] {
    const { index, content_block: block } = BetaRawContentBlockStartEvent.parse(event);
    const type = tagOf(block);
    const shape = emptyItem(`${streamed.id}:${index}`, block, type);
    if (!shape) return [];
    streamed.open.push({ index, type, id: shape.id });
    return [started(shape, raw)];
  }

  function extendBlock(event: unknown, raw: unknown): Draft[] {
    const { index, delta: value } = BetaRawContentBlockDeltaEvent.parse(event);
    const open = streamed.open.find((block) => block.index === index);
    const text = open && deltaText(value);
    return text ? [delta(open.id, text, raw)] : [];
  }

  /** Removes and returns the streamed block that this complete block ends, if there is one. */
  function takeStreamed(messageId: string, type: string, toolId: string | null): OpenBlock | null {
    const isRepeated = messageId !== streamed.id;
    const at = streamed.open.findIndex((block) => block.type === type && (toolId === null || block.id === toolId));
    if (at === -1 || (isRepeated && type === "tool_use")) return null;
    return streamed.open.splice(at, 1)[0] ?? null;
  }

  function itemId(messageId: string, isMain: boolean, type: string): string {
    const open = isMain ? takeStreamed(messageId, type, null) : null;
    if (open) return open.id;
    const count = counts.get(messageId) ?? 0;
    counts.set(messageId, count + 1);
    return messageId === streamed.id ? `${messageId}:whole${count}` : `${messageId}:${count}`;
  }

  function wholeBlock(native: BetaMessage, block: unknown, parent: string | null, raw: unknown): Draft[] {
    const isMain = parent === null && native.model !== "<synthetic>";
    const type = tagOf(block);
    switch (type) {
      case "text": {
        const { text } = BetaTextBlock.parse(block);
        const id = itemId(native.id, isMain, type);
        return [completed(message({ id, parent }, [{ type, text }]), raw)];
      }
      case "thinking": {
        const { thinking } = BetaThinkingBlock.parse(block);
        return [completed(reasoning(itemId(native.id, isMain, type), thinking, parent), raw)];
      }
      case "redacted_thinking":
        BetaRedactedThinkingBlock.parse(block);
        return [completed(reasoning(itemId(native.id, isMain, type), "", parent), raw)];
      case "tool_use": {
        const call = BetaToolUseBlock.parse(block);
        if (isMain) takeStreamed(native.id, type, call.id);
        return tools.onCall(call, parent, raw);
      }
      default:
        return [unknownItem(itemId(native.id, isMain, type), raw)];
    }
  }

  return {
    startMessage,
    startBlock,
    extendBlock,
    whole(message: BetaMessage, parent: string | null, raw: unknown): Draft[] {
      const blocks = Array.isArray(message.content) ? message.content : [];
      return [
        ...abandoned(message, parent, raw),
        ...blocks.flatMap((block) => wholeBlock(message, block, parent, raw)),
      ];
    },
    /** The turn has ended: open streams are dropped. */
    reset(): void {
      streamed = { id: "", open: [] };
      counts.clear();
    },
  };

  /** Tool calls of a stream that broke off: the repeated message has the calls under other ids. */
  function abandoned(message: BetaMessage, parent: string | null, raw: unknown): Draft[] {
    if (parent !== null || message.id === streamed.id || message.model === "<synthetic>") return [];
    const calls = streamed.open.filter(({ type }) => type === "tool_use");
    streamed.open = streamed.open.filter(({ type }) => type !== "tool_use");
    return calls.map(({ id }) =>
      completed({ id, kind: "tool_call", role: "assistant", content: [] }, raw, { failed: true }),
    );
  }
}

function emptyItem(id: string, block: unknown, type: string): ItemShape | null {
  switch (type) {
    case "text":
      return message({ id }, []);
    case "thinking":
      return reasoning(id, "", null);
    case "tool_use": {
      const { id: call_id, name } = BetaToolUseBlock.parse(block);
      return toolCall({ id: call_id }, name, "");
    }
    default:
      return null;
  }
}

/** Reasoning without text was withheld by the provider. */
function reasoning(id: string, text: string, parent: string | null): ItemShape {
  const visibility = text === "" && parent === null ? "private" : "public";
  return message({ id, parent }, [{ type: "reasoning", text, visibility }]);
}

function deltaText(value: unknown): string {
  switch (tagOf(value)) {
    case "text_delta":
      return BetaTextDelta.parse(value).text;
    case "thinking_delta":
      return BetaThinkingDelta.parse(value).thinking;
    case "input_json_delta":
      return BetaInputJSONDelta.parse(value).partial_json;
    default:
      return "";
  }
}
