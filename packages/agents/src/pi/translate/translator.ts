/**
 * Translates Pi's messages to drafts. Pure except for the state of the conversation: the turn, streamed blocks, running
 * tools and open requests.
 */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, unknownItem, unparsed } from "../../item-drafts.ts";
import {
  AssistantMessage,
  CustomMessage,
  Head,
  MessageEvent,
  TextContent,
  ToolExecutionEnd,
  UiRequest,
} from "../native.ts";
import { createMessages } from "./messages.ts";
import { noticeDrafts, shownByExtension } from "./notices.ts";
import { dialogRequest, type PendingRequest } from "./requests.ts";
import { createToolResults } from "./tools.ts";
import { createTurn } from "./turn.ts";

/** Messages without new information, for displays, or about commands that are not used. */
const silent = new Set([
  "turn_start",
  "turn_end",
  "agent_end",
  "queue_update",
  "auto_retry_end",
  "bash_execution_update",
  "entry_appended",
  "session_info_changed",
  "summarization_retry_attempt_start",
  "summarization_retry_finished",
]);

/** Roles of messages from us, from tools, or of Pi's own instructions. They are not emitted. */
const knownRoles = new Set(["user", "toolResult", "system", "bashExecution", "branchSummary", "compactionSummary"]);

export function createTranslator({ directory }: { directory: string }) {
  const messages = createMessages();
  const tools = createToolResults(directory);
  const turn = createTurn();
  const requests = new Map<string, PendingRequest>();
  /** Counter for the ids of messages without an id. */
  let count = 0;

  function dispatch(head: Head, raw: unknown): Draft[] {
    if (silent.has(head.type)) return [];
    switch (head.type) {
      case "agent_start":
        return turn.onAgentStart(raw);
      case "agent_settled":
        return [...withdrawOpen(raw), ...turn.onSettled(raw)];
      case "message_start":
        return onMessageStart(raw);
      case "message_update":
        return messages.onUpdate(raw);
      case "message_end":
        return onMessageEnd(raw);
      case "tool_execution_start":
        return tools.onStart(raw);
      case "tool_execution_update":
        return tools.onUpdate(raw);
      case "tool_execution_end": {
        const { usage } = ToolExecutionEnd.parse(raw).result;
        if (usage) turn.usage.onToolCall(usage);
        return tools.onEnd(raw);
      }
      case "extension_ui_request":
        return onUiRequest(UiRequest.parse(raw), raw);
      default: {
        const id = `${head.type}:${(count += 1)}`;
        return noticeDrafts(head, id, raw) ?? [unknownItem(id, raw)];
      }
    }
  }

  function onMessageStart(raw: unknown): Draft[] {
    const { role, timestamp } = MessageEvent.parse(raw).message;
    if (role === "assistant") messages.onStart(timestamp);
    return [];
  }

  function onMessageEnd(raw: unknown): Draft[] {
    const { message } = z.object({ message: z.unknown() }).parse(raw);
    const { role, timestamp } = MessageEvent.parse(raw).message;
    if (knownRoles.has(role)) return [];
    if (role === "custom") return onCustom(CustomMessage.parse(message), `custom:${timestamp}-${(count += 1)}`, raw);
    if (role !== "assistant") return [unknownItem(`${role}:${(count += 1)}`, raw)];
    const assistant = AssistantMessage.parse(message);
    turn.onAssistant(assistant);
    return messages.onEnd(assistant, raw);
  }

  /** A message of an extension: context for the model, shown only with `display`. */
  function onCustom({ content, display }: z.infer<typeof CustomMessage>, id: string, raw: unknown): Draft[] {
    const blocks =
      typeof content === "string" ? [content] : content.map((part) => TextContent.safeParse(part).data?.text);
    const text = blocks.filter((block) => block !== undefined).join("\n");
    if (!display) return [];
    return [completed({ id, kind: "system", role: "system", content: [{ type: "text", text }] }, raw)];
  }

  function onUiRequest(request: UiRequest, raw: unknown): Draft[] {
    const dialog = dialogRequest(request, raw);
    if (!dialog) return shownByExtension(request, raw);
    requests.set(request.id, dialog.pending);
    return [dialog.draft];
  }

  /** Withdraws the dialogs that are still open when Pi has settled. */
  function withdrawOpen(raw: unknown): Draft[] {
    const ids = [...requests.keys()];
    requests.clear();
    return ids.map((request_id) => ({ type: "request.withdrawn", request_id, raw }));
  }

  return {
    turn,
    requests,
    /** The drafts of one message. A message that cannot be parsed becomes `agent.unparsed`; nothing is thrown. */
    translate(raw: unknown): Draft[] {
      try {
        return dispatch(Head.parse(raw), raw);
      } catch (error) {
        return [unparsed("pi.stdout", error, raw)];
      }
    },
    /** A new process has started: the state of the old one is dropped. */
    restarted(): void {
      tools.reset();
      requests.clear();
    },
  };
}
