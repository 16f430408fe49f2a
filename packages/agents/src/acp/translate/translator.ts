/**
 * Translates ACP messages to drafts. Pure. Updates arrive in any order, also outside of turns; items that the agent leaves
 * open are closed here. Updates of settings are handled by the driver.
 */
import type { Draft } from "../../draft.ts";
import { notice, unknownItem } from "../../item-drafts.ts";
import {
  Compaction,
  Notice,
  type PermissionRequest,
  Plan,
  PromptResult,
  readChunk,
  type SessionUpdate,
  ToolCall,
} from "../native.ts";
import { textOfBlock } from "./blocks.ts";
import { emptyTurn, errorData, errorInText, stopError } from "./errors.ts";
import { createMessages } from "./messages.ts";
import type { KnownCall } from "./permission.ts";
import { createTools } from "./tools.ts";
import { createUsageMeter } from "./usage.ts";

/** Updates about settings and the list of commands, which are not part of the conversation. */
const silent = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "user_message_chunk",
]);

/** Copilot reports retries and Gemini reports mode changes as messages of the model. */
const statusText = /^(?:Info: .+\.\.\.|\[MODE_UPDATE\] \S+)$/;

/** Errors in text are not longer than this. */
const lastTextLimit = 10_000;

export type Translator = ReturnType<typeof createTranslator>;

export function createTranslator(prefix: string) {
  const messages = createMessages(prefix);
  const tools = createTools();
  const usage = createUsageMeter();
  let count = 0;
  /** Whether the running turn has produced anything. */
  let hasOutput = false;
  let usesModel = true;
  /** The text of the last message, if nothing followed it. */
  let lastText = "";

  const nextId = () => `${prefix}-${++count}`;

  function update(raw: SessionUpdate): Draft[] {
    const { sessionUpdate } = raw;
    switch (sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { content, messageId, _meta } = readChunk(raw);
        const parent = _meta?.claudeCode?.parentToolUseId ?? null;
        if (_meta) usage.chunk(raw);
        const text = textOfBlock(content) ?? "";
        if (_meta?.qwenDiscreteMessage || statusText.test(text))
          return [...closeMessage(), notice(nextId(), { label: text })];
        const isText = sessionUpdate === "agent_message_chunk";
        if (isText && parent === null && lastText.length < lastTextLimit) lastText += text;
        return messages.chunk(isText ? "text" : "thought", content, { messageId: messageId ?? null, parent });
      }
      case "tool_call":
      case "tool_call_update":
        return [...closeMessage(), ...tools.update(ToolCall().parse(raw))];
      case "plan": {
        const { entries = [] } = Plan().parse(raw);
        return [...closeMessage(), notice(nextId(), { label: "Todo list", json: { todos: entries } })];
      }
      case "usage_update":
        usage.update(raw);
        return [];
      case "notice": {
        const { severity, title, description } = Notice().parse(raw);
        const label = title ?? severity ?? "Notice";
        return [...closeMessage(), notice(nextId(), { label, detail: description ?? null })];
      }
      case "compaction_update":
        return [...closeMessage(), ...compaction(raw)];
      default:
        return silent.has(sessionUpdate) ? [] : [...closeMessage(), unknownItem(nextId(), raw)];
    }
  }

  /** Another update arrives: the open message ends. */
  function closeMessage(): Draft[] {
    lastText = "";
    return messages.close();
  }

  /** Reported when it starts and, sometimes more than once, when it is done. */
  function compaction(raw: unknown): Draft[] {
    const { compactionId, status, summary = [] } = Compaction().parse(raw);
    const detail = summary.flatMap((block) => textOfBlock(block) ?? []).join("\n");
    if (status === "completed" && detail === "") return [];
    const label = status === "completed" ? "Compacted" : "Compacting";
    return [notice(`${compactionId}:${nextId()}`, { label, detail })];
  }

  function record(drafts: Draft[]): Draft[] {
    if (drafts.length > 0) hasOutput = true;
    return drafts;
  }

  return {
    update: (raw: SessionUpdate) => record(update(raw)),
    /** A permission request may be the first message about a call. */
    onPermissionRequest({ toolCall }: PermissionRequest): { drafts: Draft[]; call: KnownCall } {
      const before = tools.get(toolCall.toolCallId);
      // The request shows the input in another form; the input of the call itself is kept.
      const change = before ? { ...toolCall, rawInput: undefined, status: null } : toolCall;
      const drafts = record([...closeMessage(), ...tools.update(change)]);
      const call = tools.get(toolCall.toolCallId) ?? { name: toolCall.title ?? "tool", kind: null, input: {} };
      return { drafts, call };
    },
    record,
    /** `isCommand`: the agent may answer without its model. */
    begin({ isCommand }: { isCommand: boolean }): void {
      hasOutput = false;
      usesModel = !isCommand;
      lastText = "";
    },
    /** Ends the open message. */
    settle: () => messages.close(),
    /** The response to a prompt ends the turn. */
    onPromptResult(result: unknown, { aborting }: { aborting: boolean }): Draft[] {
      const answer = PromptResult().parse(result ?? {});
      const text = lastText;
      const closed = [...messages.close(), ...tools.closeAll()];
      const figures = usage.turn(answer);
      const hasNoUsage = usesModel && answer.stopReason === "end_turn" && answer.usage === null;
      const isAborted = aborting && answer.stopReason === "cancelled";
      const isSilent = !hasOutput && answer.stopReason === "end_turn" && !aborting;
      const error = isAborted
        ? null
        : (stopError(answer.stopReason) ?? (isSilent ? emptyTurn : errorInText(text, { hasNoUsage })));
      const reason = isAborted || aborting ? "aborted" : error ? "failed" : "completed";
      return [
        ...closed,
        ...(error && !aborting ? [{ type: "error" as const, error }] : []),
        { type: "turn.ended", reason, ...(figures && { usage: figures }) },
      ];
    },
    onPromptError(error: unknown, { aborting, hasKey }: { aborting: boolean; hasKey: boolean }): Draft[] {
      const closed = [...messages.close(), ...tools.closeAll()];
      if (aborting) return [...closed, { type: "turn.ended", reason: "aborted" }];
      return [
        ...closed,
        { type: "error", error: errorData(error, { hasKey }) },
        { type: "turn.ended", reason: "failed" },
      ];
    },
  };
}
