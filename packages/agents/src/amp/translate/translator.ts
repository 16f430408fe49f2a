/**
 * Translates Amp's messages to drafts. Pure except for its state: the thread, whether a turn is open, unread messages of
 * ours, running tools. Messages arrive whole; Amp does not stream deltas.
 */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { completed, message, notice, unknownItem, unparsed } from "../../item-drafts.ts";
import { cancelledText, errorData } from "./errors.ts";
import {
  AssistantMessage,
  Head,
  Init,
  Result,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessage,
} from "./native.ts";
import { createToolCalls } from "./tools.ts";
import { createUsageMeter } from "./usage.ts";

export function createTranslator(options: { threadId: string | null }) {
  const tools = createToolCalls();
  const usage = createUsageMeter();
  const failedServers = new Set<string>();
  let { threadId } = options;
  let isOpen = false;
  /** Sent messages that have not been echoed: the turn does not end before they are answered. */
  let unread = 0;
  let count = 0;

  const nextId = (kind: string) => `${kind}:${(count += 1)}`;

  function dispatch(raw: unknown): Draft[] {
    const { type, subtype } = Head.parse(raw);
    switch (type) {
      case "system":
        return subtype === "init" ? onInit(Init.parse(raw), raw) : [unknownItem(nextId("system"), raw)];
      case "assistant":
        return onAssistant(AssistantMessage.parse(raw), raw);
      case "user":
        return onUser(UserMessage.parse(raw), raw);
      case "result":
        return onResult(Result.parse(raw), raw);
      default:
        return [unknownItem(nextId(type), raw)];
    }
  }

  function onInit({ session_id, mcp_servers }: Init, raw: unknown): Draft[] {
    const drafts: Draft[] = [];
    if (session_id !== threadId) {
      threadId = session_id;
      drafts.push({ type: "session.identified", native_session_id: session_id, raw });
    }
    const failed = (mcp_servers ?? []).filter(({ name, status }) => status === "failed" && !failedServers.has(name));
    for (const { name } of failed) {
      failedServers.add(name);
      drafts.push(notice(`mcp:${name}`, { label: `MCP server ${name}`, detail: "could not be started" }, raw));
    }
    return drafts;
  }

  function onAssistant({ message: native, parent_tool_use_id }: AssistantMessage, raw: unknown): Draft[] {
    const parent = parent_tool_use_id ?? null;
    if (native.usage) usage.onCall(native.usage);
    const parts = native.content.flatMap(textPart);
    const calls = native.content.flatMap((block) => ToolUseBlock.safeParse(block).data ?? []);
    const unknownBlocks = native.content.filter((block) => !isKnown(block));
    const id = nextId("message");
    return [
      ...(parts.length > 0 ? [completed(message({ id, parent }, parts), raw)] : []),
      ...calls.map((call) => tools.onCall(call, parent, raw)),
      ...unknownBlocks.map((block) => unknownItem(nextId("block"), block)),
      ...(parent === null && native.stop_reason !== "tool_use" && unread === 0 ? close("completed", raw) : []),
    ];
  }

  function onUser({ message, parent_tool_use_id }: UserMessage, raw: unknown): Draft[] {
    const results = message.content.flatMap((block) => ToolResultBlock.safeParse(block).data ?? []);
    // Anything else is the echo of a message of ours, which is already in the log.
    if (results.length === 0) unread = Math.max(0, unread - 1);
    return results.map((block) => tools.onResult(block, parent_tool_use_id ?? null, raw));
  }

  function onResult({ is_error, error }: Result, raw: unknown): Draft[] {
    if (!is_error) return close("completed", raw);
    const message = error ?? "the turn failed";
    if (cancelledText.test(message)) return close("aborted", raw);
    if (!isOpen) return [];
    return [{ type: "error", error: errorData(message), raw }, ...close("failed", raw)];
  }

  function close(reason: "completed" | "aborted" | "failed", raw: unknown): Draft[] {
    if (!isOpen) return [];
    finish();
    return [{ type: "turn.ended", reason, usage: usage.turn(), raw }];
  }

  function finish(): void {
    isOpen = false;
    unread = 0;
    tools.reset();
  }

  return {
    get threadId() {
      return threadId;
    },
    /** Whether a message of ours still has no answer. */
    get isOpen() {
      return isOpen;
    },
    /** A message was sent: it opens a turn, or joins the running one. */
    onSent(): void {
      isOpen = true;
      unread += 1;
    },
    /** Ends the turn without a message of the agent. */
    finish,
    toolCallFor: tools.find,
    /** The drafts of one message. A message that cannot be parsed becomes `agent.unparsed`; nothing is thrown. */
    translate(raw: unknown): Draft[] {
      try {
        return dispatch(raw);
      } catch (error) {
        return [unparsed("amp.stdout", error, raw)];
      }
    },
  };
}

function textPart(block: unknown): ContentPart[] {
  const thought = ThinkingBlock.safeParse(block).data;
  if (thought) return [{ type: "reasoning", text: thought.thinking, visibility: "public" }];
  const text = TextBlock.safeParse(block).data;
  return text ? [{ type: "text", text: text.text }] : [];
}

function isKnown(block: unknown): boolean {
  return [TextBlock, ThinkingBlock, ToolUseBlock].some((schema) => schema.safeParse(block).success);
}
