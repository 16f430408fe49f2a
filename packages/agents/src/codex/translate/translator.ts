/**
 * Translates Codex's messages to drafts. Pure: no process, no clock; its state depends only on its input. The driver passes
 * it the messages of one session's thread and of its subagents' threads.
 */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { message, status, unknown, whole } from "../../item-drafts.ts";
import type { RpcId, RpcMessage } from "../../process/json-rpc.ts";
import * as protocol from "../generated/protocol.ts";
import { errorData, isAuthError } from "./errors.ts";
import { createItems, type Items } from "./items.ts";
import { ignored, labels } from "./notices.ts";
import { createRawCalls } from "./raw-calls.ts";
import { readRequest } from "./requests.ts";
import { createThreads } from "./threads.ts";
import { createTurns } from "./turns.ts";
import { createUsageMeter } from "./usage.ts";
import type { Answer } from "./user-request.ts";

export interface TranslatorOptions {
  threadId: string;
  /** Part of request ids: every run of the server numbers its requests from the start. */
  serverId: string;
  /** Whether credentials are sent to the model service. */
  hasKey: boolean;
}

export interface Translation {
  drafts: Draft[];
  /** The turn cannot succeed and must be stopped. */
  interrupt?: boolean;
  /** A request that cannot be answered. */
  reject?: boolean;
}

export type Translator = ReturnType<typeof createTranslator>;

const Envelope = z.object({ threadId: z.string().nullish() });
const UnknownItem = z.object({ threadId: z.string(), item: z.object({ id: z.string(), type: z.string() }) });
const knownItems: ReadonlySet<string> = new Set(protocol.ThreadItem.options.map(({ shape }) => shape.type.value));

export function createTranslator({ threadId: root, serverId, hasKey }: TranslatorOptions) {
  const threads = createThreads(root);
  const items: Items = createItems((callId) => rawCalls.inputOf(callId));
  const rawCalls = createRawCalls(items);
  const usage = createUsageMeter();
  const answers = new Map<string, Answer>();
  const turns = createTurns({ threads, items, usage, hasKey });
  let expected = 0;
  let notices = 0;

  type Handler = (params: unknown) => Translation;

  function on<T>(schema: z.ZodType<T>, handle: (params: T) => Draft[] | Translation): Handler {
    return (params) => {
      const result = handle(schema.parse(params));
      return Array.isArray(result) ? { drafts: result } : result;
    };
  }

  const handlers: Readonly<Record<string, Handler>> = {
    "turn/started": on(protocol.TurnStartedNotification, ({ threadId, turn }) => {
      return turns.started(threadId, turn.id);
    }),
    "turn/completed": on(protocol.TurnCompletedNotification, ({ threadId, turn }) => {
      const isSubagent = !threads.isRoot(threadId);
      if (!isSubagent) expected = 0;
      const failure = isSubagent && turn.error ? notice(threadId, "Subagent failed", turn.error.message) : [];
      return [...failure, ...turns.completed(threadId, turn)];
    }),
    "item/started": on(protocol.ItemStartedNotification, ({ threadId, item }) => {
      threads.learn(item);
      if (item.type === "userMessage") return [];
      return items.started(item, threads.parentOf(threadId));
    }),
    "item/completed": on(protocol.ItemCompletedNotification, ({ threadId, turnId, item }) => {
      threads.learn(item);
      if (item.type === "userMessage") return userMessage(item, threadId);
      if (item.type === "plan" && threads.isRoot(threadId)) turns.onPlan(turnId, item.text);
      return items.completed(item, threads.parentOf(threadId));
    }),
    "item/agentMessage/delta": on(protocol.AgentMessageDeltaNotification, ({ itemId, delta }) =>
      items.text(itemId, delta),
    ),
    "item/plan/delta": on(protocol.PlanDeltaNotification, ({ itemId, delta }) => items.text(itemId, delta)),
    "item/reasoning/summaryTextDelta": on(
      protocol.ReasoningSummaryTextDeltaNotification,
      ({ threadId, itemId, delta }) => items.reasoning(itemId, threads.parentOf(threadId), delta),
    ),
    "item/reasoning/textDelta": on(protocol.ReasoningTextDeltaNotification, ({ threadId, itemId, delta }) =>
      items.reasoning(itemId, threads.parentOf(threadId), delta),
    ),
    "item/reasoning/summaryPartAdded": on(
      protocol.ReasoningSummaryPartAddedNotification,
      ({ threadId, itemId, summaryIndex }) =>
        summaryIndex === 0 ? [] : items.reasoning(itemId, threads.parentOf(threadId), "\n\n"),
    ),
    "item/commandExecution/outputDelta": on(protocol.CommandExecutionOutputDeltaNotification, ({ itemId, delta }) =>
      items.output(itemId, delta),
    ),
    "item/commandExecution/terminalInteraction": on(protocol.TerminalInteractionNotification, ({ threadId, stdin }) =>
      stdin === "" ? [] : notice(threadId, "Input to the command", stdin),
    ),
    "item/mcpToolCall/progress": on(protocol.McpToolCallProgressNotification, ({ threadId, message: text }) =>
      notice(threadId, "Progress", text),
    ),
    "turn/plan/updated": on(protocol.TurnPlanUpdatedNotification, ({ threadId, explanation, plan: steps }) => {
      const todos = steps.map(({ step, status: state }) => ({ content: step, status: todoStates[state] }));
      return notice(threadId, "Todo list", explanation ?? undefined, { todos });
    }),
    "thread/tokenUsage/updated": on(protocol.ThreadTokenUsageUpdatedNotification, (update) => {
      // A thread that is resumed repeats the figures of its last turn.
      if (threads.running.size === 0) usage.skip(update);
      else usage.add(update, threads.isRoot(update.threadId));
      return [];
    }),
    error: on(protocol.ErrorNotification, onError),
    warning: on(protocol.WarningNotification, ({ threadId, message: text }) =>
      notice(threadId ?? root, "Warning", text),
    ),
    configWarning: on(protocol.ConfigWarningNotification, ({ summary, details }) =>
      notice(root, "Configuration warning", [summary, details ?? ""].join("\n").trim()),
    ),
    deprecationNotice: on(protocol.DeprecationNoticeNotification, ({ summary, details }) =>
      notice(root, "Deprecation notice", [summary, details ?? ""].join("\n").trim()),
    ),
    "mcpServer/startupStatus/updated": on(protocol.McpServerStatusUpdatedNotification, (server) =>
      server.status === "failed" ? notice(root, `MCP server ${server.name} failed`, server.error ?? undefined) : [],
    ),
    "serverRequest/resolved": on(protocol.ServerRequestResolvedNotification, ({ requestId }) => {
      const id = openRequestId(requestId);
      // A request that is still pending here was not answered by us: Codex has withdrawn it.
      return answers.delete(id) ? [{ type: "request.withdrawn", request_id: id }] : [];
    }),
    "rawResponseItem/completed": on(protocol.RawResponseItemCompletedNotification, ({ threadId, item }) =>
      rawCalls.accept(item, threads.parentOf(threadId)),
    ),
  };

  function userMessage(item: Extract<protocol.ThreadItem, { type: "userMessage" }>, threadId: string): Draft[] {
    const isRoot = threads.isRoot(threadId);
    if (isRoot && expected > 0) {
      expected -= 1;
      return [];
    }
    const text = item.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
    return whole(message({ id: item.id, parent: threads.parentOf(threadId) }, [{ type: "text", text }], "user"));
  }

  function onError({ threadId, error, willRetry }: protocol.ErrorNotification): Draft[] | Translation {
    const data = errorData(error, hasKey);
    // Rejected credentials will be rejected again, so the retries are not awaited.
    const isHopeless = willRetry && isAuthError(data);
    if (threads.isRoot(threadId) && isHopeless) {
      const cause = { ...error, message: error.additionalDetails ?? error.message };
      return { drafts: turns.fail(errorData(cause, hasKey)), interrupt: true };
    }
    if (threads.isRoot(threadId) && !willRetry) return turns.fail(data);
    const detail = [error.message, error.additionalDetails].filter(Boolean).join(": ");
    return notice(threadId, willRetry ? "Retrying" : "Error", detail);
  }

  function notice(threadId: string, label: string, detail?: string, json?: unknown): Draft[] {
    notices += 1;
    const identity = { id: `${serverId}-notice-${notices}`, parent: threads.parentOf(threadId) };
    return whole(status(identity, label, detail, json));
  }

  function openRequestId(rpcId: RpcId): string {
    return `${serverId}-${rpcId}`;
  }

  function translate({ method = "", params }: RpcMessage): Translation {
    if (ignored.has(method)) return { drafts: [] };
    const handler = handlers[method];
    if (handler) return handler(params);
    const threadId = Envelope.safeParse(params).data?.threadId ?? root;
    const label = labels[method];
    if (label) return { drafts: notice(threadId, label, undefined, params) };
    notices += 1;
    const identity = { id: `${serverId}-unknown-${notices}`, parent: threads.parentOf(threadId) };
    return { drafts: whole(unknown(identity, { method, params })) };
  }

  /** An item of an unknown kind is passed on as JSON. Raw events that cannot be parsed are dropped: items have the content. */
  function unreadable(rpc: RpcMessage, error: unknown): Draft[] {
    const { method = "", params } = rpc;
    if (method.startsWith("rawResponseItem/")) return [];
    const found = UnknownItem.safeParse(params);
    if (found.success && !knownItems.has(found.data.item.type)) {
      if (method !== "item/completed") return [];
      const identity = { id: found.data.item.id, parent: threads.parentOf(found.data.threadId) };
      return whole(unknown(identity, params));
    }
    const reason = error instanceof Error ? error.message : String(error);
    return [{ type: "agent.unparsed", unparsed: { error: reason, location: `codex ${method}` } }];
  }

  function attempt(rpc: RpcMessage, read: () => Translation): Translation {
    try {
      return read();
    } catch (error) {
      return { drafts: unreadable(rpc, error), reject: true };
    }
  }

  /** Every draft has the message it was made from. */
  function withRaw(rpc: RpcMessage, read: () => Translation): Translation {
    const translation = attempt(rpc, read);
    return { ...translation, drafts: translation.drafts.map((draft) => ({ ...draft, raw: rpc })) };
  }

  return {
    /** Turns that are running, by thread: the session's own and those of subagents. */
    running: threads.running,
    /** The plan that waits for approval after its native turn has ended. */
    get openPlan() {
      return turns.openPlan;
    },
    notification: (rpc: RpcMessage): Translation => withRaw(rpc, () => translate(rpc)),
    request(rpcId: RpcId, rpc: RpcMessage): Translation {
      const id = openRequestId(rpcId);
      return withRaw(rpc, () => {
        const request = readRequest(rpcId, id, rpc.method ?? "", rpc.params, items);
        if (!request) return { ...translate(rpc), reject: true };
        answers.set(id, request.answer);
        return { drafts: [request.draft] };
      });
    },
    /** Removes and returns the reply handler of an open request. */
    takeAnswer(requestId: string): Answer | undefined {
      const answer = answers.get(requestId);
      answers.delete(requestId);
      return answer;
    },
    /** A message was sent: its echo must not become an item. */
    expectUserMessage(): void {
      expected += 1;
    },
    /** Ends the turn that was kept open for the plan. */
    endPlan: turns.endPlan,
    /** The plan was approved, so the turn continues. */
    forgetPlan: turns.forgetPlan,
  };
}

const todoStates = { pending: "pending", inProgress: "in_progress", completed: "completed" } as const;
