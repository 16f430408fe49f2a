/**
 * Tool calls for which Codex sends no items: a command that the sandbox blocks, a patch that does not apply, a rejected
 * call. They are only in the raw events of the model exchange.
 */
import type { Draft } from "../../draft.ts";
import { whole } from "../../item-drafts.ts";
import type { ResponseItem } from "../generated/protocol.ts";
import { toolCall, toolResult } from "./drafts.ts";
import type { Items } from "./items.ts";
import { outputText } from "./output-text.ts";

interface PendingCall {
  name: string;
  input: string;
  itemsBefore: number;
}

/** Calls that are shown by other events: as a plan, a question, or input of a command. */
const shownOtherwise = new Set([
  "update_plan",
  "request_user_input",
  "request_user_input_async",
  "request_permissions",
  "write_stdin",
  "tool_search",
]);

/** Calls that run a script, whose tool calls are items. */
const wrappers = new Set(["exec", "wait"]);

export function createRawCalls(items: Items) {
  const pending = new Map<string, PendingCall>();

  function remember(callId: string, name: string, input: string): Draft[] {
    pending.set(callId, { name, input, itemsBefore: items.count });
    return [];
  }

  function settle(callId: string, output: unknown, parent: string | undefined): Draft[] {
    const call = pending.get(callId);
    pending.delete(callId);
    if (!call || items.has(callId) || shownOtherwise.has(call.name)) return [];
    const text = outputText(output);
    const isWrapper = wrappers.has(call.name);
    const succeeded = /^Script (completed|running)/.test(text);
    if (isWrapper && (succeeded || items.count > call.itemsBefore)) return [];
    const identity = { id: callId, parent };
    const input = isWrapper ? { script: call.input } : call.input;
    return [...whole(toolCall(identity, call.name, input)), ...whole(toolResult(identity, text), { failed: true })];
  }

  return {
    /** The arguments of a call without a result yet. */
    inputOf: (callId: string): string | undefined => pending.get(callId)?.input,
    accept(item: ResponseItem, parent: string | undefined): Draft[] {
      switch (item.type) {
        case "function_call":
          return remember(item.call_id, item.name, item.arguments);
        case "custom_tool_call":
          return remember(item.call_id, item.name, customInput(item.name, item.input));
        case "function_call_output":
          return item.call_id ? settle(item.call_id, item.output, parent) : [];
        case "custom_tool_call_output":
          return settle(item.call_id, item.output, parent);
        default:
          return [];
      }
    },
  };
}

/** Freeform tools take plain text, but arguments must be JSON. */
function customInput(name: string, input: string): string {
  return wrappers.has(name) ? input : JSON.stringify({ input });
}
