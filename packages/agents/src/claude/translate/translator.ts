/**
 * Translates Claude Code's messages to drafts. Pure except for the state of the conversation: the open turn, streamed
 * blocks, running tools and open requests.
 */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, notice, unknownItem, unparsed } from "../../item-drafts.ts";
import {
  BetaRawMessageDeltaEvent,
  BetaRawMessageStartEvent,
  BetaToolResultBlockParam,
  SDKAPIRetryMessage,
  SDKAssistantMessage,
  SDKControlCancelRequest,
  SDKControlElicitationRequest,
  SDKControlPermissionRequest,
  SDKControlRequest,
  SDKPartialAssistantMessage,
  SDKPromptSuggestionMessage,
  SDKRateLimitEvent,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
  SDKUserMessage,
} from "../generated/protocol.ts";
import { createBlocks } from "./blocks.ts";
import { errorData } from "./errors.ts";
import { formRequest, type PendingRequest, toolRequest } from "./requests.ts";
import { systemDrafts } from "./system.ts";
import { Head, tagOf } from "./tag.ts";
import { createTasks } from "./tasks.ts";
import { createToolCalls } from "./tools.ts";
import { createTurn } from "./turn.ts";

export interface TranslatorOptions {
  nativeSessionId: string | null;
  /** Whether the credential is a login rather than a key: a rejected login has most likely expired. */
  isLogin: boolean;
}

const UserContent = z.object({ content: z.union([z.string(), z.array(z.unknown())]) });
const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
const Replay = z.object({ isReplay: z.literal(true), uuid: z.string().nullish() });

/** Messages of the protocol itself, which are not part of the conversation. */
const silent = new Set(["control_response", "keep_alive", "command_lifecycle"]);

export function createTranslator(options: TranslatorOptions) {
  const tools = createToolCalls();
  const blocks = createBlocks(tools);
  const tasks = createTasks();
  const turn = createTurn();
  const requests = new Map<string, PendingRequest>();
  const failedServers = new Set<string>();
  let { nativeSessionId } = options;
  let permissionMode: string | null = null;

  function dispatch(head: Head, raw: unknown): Draft[] {
    if (silent.has(head.type)) return [];
    const id = `${head.type}:${head.uuid}`;
    switch (head.type) {
      case "stream_event":
        return onStreamEvent(SDKPartialAssistantMessage.parse(raw), raw);
      case "assistant":
        return onAssistant(SDKAssistantMessage.parse(raw), raw);
      case "user":
        return Replay.safeParse(raw).success ? onReplay(raw) : onUser(SDKUserMessage.parse(raw), raw);
      case "system":
        return onSystem(head, raw);
      case "result":
        blocks.reset();
        return [...withdrawOpen(raw), ...turn.result(raw)];
      case "control_request":
        return onControlRequest(SDKControlRequest.parse(raw), raw);
      case "control_cancel_request": {
        const { request_id } = SDKControlCancelRequest.parse(raw);
        requests.delete(request_id);
        return [{ type: "request.withdrawn", request_id, raw }];
      }
      case "rate_limit_event": {
        const { rate_limit_info: json } = SDKRateLimitEvent.parse(raw);
        return [notice(id, { label: "Rate limit", detail: json.status, json }, raw)];
      }
      case "tool_progress": {
        const { tool_name, elapsed_time_seconds, parent_tool_use_id } = SDKToolProgressMessage.parse(raw);
        const detail = `running for ${elapsed_time_seconds ?? 0} s`;
        return [notice(id, { label: tool_name, detail, parent: parent_tool_use_id }, raw)];
      }
      case "tool_use_summary":
        return [notice(id, { label: "Summary", detail: SDKToolUseSummaryMessage.parse(raw).summary }, raw)];
      case "prompt_suggestion":
        return [notice(id, { label: "Suggestion", detail: SDKPromptSuggestionMessage.parse(raw).suggestion }, raw)];
      default:
        return [unknownItem(id, raw)];
    }
  }

  function onStreamEvent({ event, parent_tool_use_id }: SDKPartialAssistantMessage, raw: unknown): Draft[] {
    if (parent_tool_use_id) return [];
    switch (tagOf(event)) {
      case "message_start": {
        const { message } = BetaRawMessageStartEvent.parse(event);
        blocks.startMessage(message);
        turn.usage.startCall(message.usage ?? {});
        return [];
      }
      case "message_delta":
        turn.usage.updateCall(BetaRawMessageDeltaEvent.parse(event).usage ?? {});
        return [];
      case "content_block_start":
        return blocks.startBlock(event, raw);
      case "content_block_delta":
        return blocks.extendBlock(event, raw);
      default:
        return [];
    }
  }

  function onAssistant({ message, parent_tool_use_id, error }: SDKAssistantMessage, raw: unknown): Draft[] {
    if (error) turn.fail({ message: textIn(message.content), error });
    // A text of the agent, not of the model, about a failed call: it is emitted as an error at the end of the turn.
    if (error && message.model === "<synthetic>") return [];
    return blocks.whole(message, parent_tool_use_id ?? null, raw);
  }

  function onUser(message: SDKUserMessage, raw: unknown): Draft[] {
    const { data } = UserContent.safeParse(message.message);
    const parent = message.parent_tool_use_id ?? null;
    const content = typeof data?.content === "string" ? [{ type: "text", text: data.content }] : (data?.content ?? []);
    return content.flatMap((block, index): Draft[] => {
      const id = `${message.uuid}:${index}`;
      if (tagOf(block) === "tool_result")
        return tools.onResult(BetaToolResultBlockParam.parse(block), message.tool_use_result, parent, raw);
      const text = TextBlock.safeParse(block).data?.text;
      if (text === undefined) return [unknownItem(id, raw)];
      if (text.startsWith("[Request interrupted by user")) return [];
      const part = { type: "text", text } as const;
      if (parent) return [completed({ id, parent, kind: "message", role: "user", content: [part] }, raw)];
      return [completed({ id, kind: "system", role: "system", content: [part] }, raw)];
    });
  }

  function onReplay(raw: unknown): Draft[] {
    turn.onRead(Replay.parse(raw).uuid ?? "");
    return [];
  }

  function onSystem(head: Head, raw: unknown): Draft[] {
    switch (head.subtype) {
      case "init":
        return onInit(SDKSystemMessage.parse(raw), raw);
      case "status":
        permissionMode = SDKStatusMessage.parse(raw).permissionMode ?? permissionMode;
        return systemDrafts(head, raw);
      case "task_started":
        return tasks.onStarted(raw);
      case "task_progress":
        return tasks.onProgress(raw);
      case "task_updated":
        return tasks.onUpdated(raw);
      case "task_notification":
        return tasks.onNotification(raw);
      case "api_retry":
        return [...systemDrafts(head, raw), ...onApiRetry(SDKAPIRetryMessage.parse(raw), raw)];
      default:
        return systemDrafts(head, raw);
    }
  }

  /** Rejected credentials end the turn at once: the agent would retry ten times, which takes three minutes. */
  function onApiRetry({ error, error_status: status }: SDKAPIRetryMessage, raw: unknown): Draft[] {
    if (error !== "authentication_failed") return [];
    const message = options.isLogin ? "the login was rejected; it has expired" : "the API key was rejected";
    return turn.rejectCredentials(errorData({ message, error, status: status ?? 401 }), raw);
  }

  function onInit(message: SDKSystemMessage, raw: unknown): Draft[] {
    const drafts: Draft[] = [];
    const { session_id, model, mcp_servers } = message;
    permissionMode = message.permissionMode ?? permissionMode;
    turn.usage.setModel(model ?? "");
    if (session_id && session_id !== nativeSessionId) {
      nativeSessionId = session_id;
      drafts.push({ type: "session.identified", native_session_id: session_id, raw });
    }
    drafts.push(...turn.onInit(raw));
    const failed = (mcp_servers ?? []).filter(({ status }) => status === "failed");
    return [...drafts, ...failed.flatMap(({ name }) => onServerFailed(name, "could not be started", raw))];
  }

  /** Emitted once per server. */
  function onServerFailed(name: string, detail: string, raw: unknown): Draft[] {
    if (failedServers.has(name)) return [];
    failedServers.add(name);
    return [notice(`mcp:${name}`, { label: `MCP server ${name}`, detail }, raw)];
  }

  function onControlRequest({ request_id, request }: SDKControlRequest, raw: unknown): Draft[] {
    const permission = SDKControlPermissionRequest.safeParse(request);
    const form = SDKControlElicitationRequest.safeParse(request);
    if (!permission.success && !form.success) return [unknownItem(`control_request:${request_id}`, raw)];
    const { pending, draft } = permission.success
      ? toolRequest(request_id, permission.data, raw)
      : formRequest(request_id, SDKControlElicitationRequest.parse(request), raw);
    requests.set(request_id, pending);
    return [draft];
  }

  /** A turn ends even if its result cannot be parsed. */
  function endOf(raw: unknown): Draft[] {
    if (tagOf(raw) !== "result" || !turn.open) return [];
    turn.close();
    return [{ type: "turn.ended", reason: "failed", raw }];
  }

  /** Requests that are still open when the turn ends. Those of background subagents stay open. */
  function withdrawOpen(raw: unknown): Draft[] {
    const ids = [...requests].filter(([, { isBackground }]) => !isBackground).map(([id]) => id);
    for (const id of ids) requests.delete(id);
    return ids.map((request_id) => ({ type: "request.withdrawn", request_id, raw }));
  }

  return {
    turn,
    tasks,
    requests,
    get nativeSessionId() {
      return nativeSessionId;
    },
    /** The agent's current permission mode, once it is known. */
    get permissionMode() {
      return permissionMode;
    },
    onServerFailed,
    setPermissionMode(mode: string): void {
      permissionMode = mode;
    },
    /** The drafts of one message. A message that cannot be parsed becomes `agent.unparsed`; nothing is thrown. */
    translate(raw: unknown): Draft[] {
      try {
        return dispatch(Head.parse(raw), raw);
      } catch (error) {
        return [unparsed("claude.stdout", error, raw), ...endOf(raw)];
      }
    },
    /** A new process has started: the state of the old one is dropped. */
    restarted(): void {
      blocks.reset();
      tasks.reset();
      requests.clear();
      turn.usage.restarted();
    },
  };
}

function textIn(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks.map((block) => TextBlock.safeParse(block).data?.text ?? "").join("\n");
}

export type Translator = ReturnType<typeof createTranslator>;
