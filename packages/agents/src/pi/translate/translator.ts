/**
 * Pi's messages to drafts. Pure but for what it has to remember of the conversation: the turn, what is being streamed,
 * which tools run, what was asked.
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

/** Repeats what other messages say, concerns a display, or follows commands that we do not give. */
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

/** Roles of messages that come from us, from tools, or from Pi's own instructions: none is news. */
const knownRoles = new Set(["user", "toolResult", "system", "bashExecution", "branchSummary", "compactionSummary"]);

export function createTranslator({ directory }: { directory: string }) {
  const messages = createMessages();
  const tools = createToolResults(directory);
  const turn = createTurn();
  const requests = new Map<string, PendingRequest>();
  /** Names what has no id of its own. */
  let count = 0;

  function dispatch(head: Head, raw: unknown): Draft[] {
    if (silent.has(head.type)) return [];
    switch (head.type) {
      case "agent_start":
        return turn.begun(raw);
      case "agent_settled":
        return [...forgotten(raw), ...turn.settled(raw)];
      case "message_start":
        return begunMessage(raw);
      case "message_update":
        return messages.updated(raw);
      case "message_end":
        return endedMessage(raw);
      case "tool_execution_start":
        return tools.started(raw);
      case "tool_execution_update":
        return tools.updated(raw);
      case "tool_execution_end": {
        const { usage } = ToolExecutionEnd.parse(raw).result;
        if (usage) turn.usage.spent(usage);
        return tools.ended(raw);
      }
      case "extension_ui_request":
        return asked(UiRequest.parse(raw), raw);
      default: {
        const id = `${head.type}:${(count += 1)}`;
        return noticeDrafts(head, id, raw) ?? [unknownItem(id, raw)];
      }
    }
  }

  function begunMessage(raw: unknown): Draft[] {
    const { role, timestamp } = MessageEvent.parse(raw).message;
    if (role === "assistant") messages.begun(timestamp);
    return [];
  }

  function endedMessage(raw: unknown): Draft[] {
    const { message } = z.object({ message: z.unknown() }).parse(raw);
    const { role, timestamp } = MessageEvent.parse(raw).message;
    if (knownRoles.has(role)) return [];
    if (role === "custom") return custom(CustomMessage.parse(message), `custom:${timestamp}-${(count += 1)}`, raw);
    if (role !== "assistant") return [unknownItem(`${role}:${(count += 1)}`, raw)];
    const said = AssistantMessage.parse(message);
    turn.said(said);
    return messages.ended(said, raw);
  }

  /** Said by an extension: context for the model, and to be shown or not. */
  function custom({ content, display }: z.infer<typeof CustomMessage>, id: string, raw: unknown): Draft[] {
    const blocks =
      typeof content === "string" ? [content] : content.map((part) => TextContent.safeParse(part).data?.text);
    const text = blocks.filter((block) => block !== undefined).join("\n");
    if (!display) return [];
    return [completed({ id, kind: "system", role: "system", content: [{ type: "text", text }] }, raw)];
  }

  function asked(request: UiRequest, raw: unknown): Draft[] {
    const dialog = dialogRequest(request, raw);
    if (!dialog) return shownByExtension(request, raw);
    requests.set(request.id, dialog.pending);
    return [dialog.draft];
  }

  /** Dialogs that were dismissed without a word. */
  function forgotten(raw: unknown): Draft[] {
    const ids = [...requests.keys()];
    requests.clear();
    return ids.map((request_id) => ({ type: "request.withdrawn", request_id, raw }));
  }

  return {
    turn,
    requests,
    /** Drafts for one message. What cannot be read is passed on as such, never thrown. */
    translate(raw: unknown): Draft[] {
      try {
        return dispatch(Head.parse(raw), raw);
      } catch (error) {
        return [unparsed("pi.stdout", error, raw)];
      }
    },
    /** The process is another one: what it had begun is lost. */
    restarted(): void {
      tools.reset();
      requests.clear();
    },
  };
}
