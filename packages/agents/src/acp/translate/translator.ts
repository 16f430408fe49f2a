/**
 * ACP messages in, drafts out. Pure. Updates come in any order and outside of turns too; what the agent leaves open is
 * closed here. Settings that an update tells are kept for the driver.
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
import type { AskedCall } from "./permission.ts";
import { createSpeech } from "./speech.ts";
import { createTools } from "./tools.ts";
import { createUsageMeter } from "./usage.ts";

/** Updates about settings and the list of commands: no part of the conversation. */
const silent = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "user_message_chunk",
]);

/** Copilot says that it tries again, and Gemini that its mode has changed, as if the model said so. */
const remark = /^(?:Info: .+\.\.\.|\[MODE_UPDATE\] \S+)$/;

/** No error is longer. */
const lastWordsLimit = 10_000;

export type Translator = ReturnType<typeof createTranslator>;

export function createTranslator(prefix: string) {
  const speech = createSpeech(prefix);
  const tools = createTools();
  const usage = createUsageMeter();
  let count = 0;
  /** Whether the running turn has brought anything. */
  let hasSpoken = false;
  let asksModel = true;
  /** The last thing said, if nothing came after it. */
  let lastWords = "";

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
        if (_meta?.qwenDiscreteMessage || remark.test(text))
          return [...interrupted(), notice(nextId(), { label: text })];
        const isSaid = sessionUpdate === "agent_message_chunk";
        if (isSaid && parent === null && lastWords.length < lastWordsLimit) lastWords += text;
        return speech.chunk(isSaid ? "said" : "thought", content, { messageId: messageId ?? null, parent });
      }
      case "tool_call":
      case "tool_call_update":
        return [...interrupted(), ...tools.update(ToolCall().parse(raw))];
      case "plan": {
        const { entries = [] } = Plan().parse(raw);
        return [...interrupted(), notice(nextId(), { label: "Todo list", json: { todos: entries } })];
      }
      case "usage_update":
        usage.update(raw);
        return [];
      case "notice": {
        const { severity, title, description } = Notice().parse(raw);
        const label = title ?? severity ?? "Notice";
        return [...interrupted(), notice(nextId(), { label, detail: description ?? null })];
      }
      case "compaction_update":
        return [...interrupted(), ...compaction(raw)];
      default:
        return silent.has(sessionUpdate) ? [] : [...interrupted(), unknownItem(nextId(), raw)];
    }
  }

  /** Something else begins: what was being said is over. */
  function interrupted(): Draft[] {
    lastWords = "";
    return speech.close();
  }

  /** It is told when it begins and, sometimes more than once, when it is done. */
  function compaction(raw: unknown): Draft[] {
    const { compactionId, status, summary = [] } = Compaction().parse(raw);
    const detail = summary.flatMap((block) => textOfBlock(block) ?? []).join("\n");
    if (status === "completed" && detail === "") return [];
    const label = status === "completed" ? "Compacted" : "Compacting";
    return [notice(`${compactionId}:${nextId()}`, { label, detail })];
  }

  function heard(drafts: Draft[]): Draft[] {
    if (drafts.length > 0) hasSpoken = true;
    return drafts;
  }

  return {
    update: (raw: SessionUpdate) => heard(update(raw)),
    /** A permission request may be the first that is heard of a call. */
    asked({ toolCall }: PermissionRequest): { drafts: Draft[]; call: AskedCall } {
      const before = tools.get(toolCall.toolCallId);
      // The agent shows the call differently here; its own input is the true one.
      const change = before ? { ...toolCall, rawInput: undefined, status: null } : toolCall;
      const drafts = heard([...interrupted(), ...tools.update(change)]);
      const call = tools.get(toolCall.toolCallId) ?? { name: toolCall.title ?? "tool", kind: null, input: {} };
      return { drafts, call };
    },
    told: heard,
    /** `isCommand`: the agent may answer by itself, without its model. */
    begin({ isCommand }: { isCommand: boolean }): void {
      hasSpoken = false;
      asksModel = !isCommand;
      lastWords = "";
    },
    /** Nothing more is being said for now. */
    settle: () => speech.close(),
    /** The answer to a prompt: the turn is over. */
    ended(result: unknown, { aborting }: { aborting: boolean }): Draft[] {
      const answer = PromptResult().parse(result ?? {});
      const words = lastWords;
      const closed = [...speech.close(), ...tools.closeAll()];
      const figures = usage.turn(answer);
      const isUncounted = asksModel && answer.stopReason === "end_turn" && answer.usage === null;
      const isAborted = aborting && answer.stopReason === "cancelled";
      const isSilent = !hasSpoken && answer.stopReason === "end_turn" && !aborting;
      const error = isAborted
        ? null
        : (stopError(answer.stopReason) ?? (isSilent ? emptyTurn : errorInText(words, { isUncounted })));
      const reason = isAborted || aborting ? "aborted" : error ? "failed" : "completed";
      return [
        ...closed,
        ...(error && !aborting ? [{ type: "error" as const, error }] : []),
        { type: "turn.ended", reason, ...(figures && { usage: figures }) },
      ];
    },
    failed(error: unknown, { aborting, hasKey }: { aborting: boolean; hasKey: boolean }): Draft[] {
      const closed = [...speech.close(), ...tools.closeAll()];
      if (aborting) return [...closed, { type: "turn.ended", reason: "aborted" }];
      return [
        ...closed,
        { type: "error", error: errorData(error, { hasKey }) },
        { type: "turn.ended", reason: "failed" },
      ];
    },
  };
}
