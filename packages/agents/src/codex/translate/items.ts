/**
 * The lifecycle of native items. A tool becomes two universal items, the call and its result; reasoning is a message with a
 * reasoning part. Items that are open at the end of a turn are closed by the daemon; their later results (of a command that
 * ran on in the background) become separate items.
 */
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemIdentity, message, started, status, whole } from "../../item-drafts.ts";
import type { FileUpdateChange, ThreadItem } from "../generated/protocol.ts";
import { resultId, toolCall, toolResult } from "./drafts.ts";
import { callOf, isCallComplete, isTool, outcomeOf, type ToolItem } from "./tools.ts";

interface OpenItem {
  item: ThreadItem;
  parent: string | undefined;
  streamed: string;
}

export type Items = ReturnType<typeof createItems>;

/** `inputOf`: the arguments of a call from the raw events, for items that do not have them. */
export function createItems(inputOf: (callId: string) => string | undefined) {
  const open = new Map<string, OpenItem>();
  const seen = new Set<string>();
  /** Items that were open when their turn ended, with the output up to then. */
  const leftOpen = new Map<string, string>();

  function begin(item: ThreadItem, parent: string | undefined): Draft[] {
    seen.add(item.id);
    open.set(item.id, { item, parent, streamed: "" });
    return startOf(item, { id: item.id, parent }, inputOf(item.id));
  }

  function finish(item: ThreadItem, parent: string | undefined): Draft[] {
    const identity = { id: item.id, parent };
    const before = open.get(item.id);
    open.delete(item.id);
    if (isTool(item)) return toolEnd(item, identity);
    switch (item.type) {
      case "agentMessage":
        return [completed(message(identity, [{ type: "text", text: item.text }]))];
      case "reasoning":
        return reasoningEnd(item, identity, before?.streamed ?? "");
      case "plan":
        return [completed(planItem(identity, item.text))];
      default:
        return notice(item, identity);
    }
  }

  /** A command that ended after its turn: its result as another item, if there is more output than at the end of the turn. */
  function finishLate(item: ThreadItem, parent: string | undefined): Draft[] {
    const emitted = leftOpen.get(item.id) ?? "";
    leftOpen.delete(item.id);
    if (!isTool(item)) return finish(item, parent);
    const { output, parts, failed } = outcomeOf(item);
    if (failed && output === emitted) return [];
    const late = toolResult({ id: item.id, parent }, output, parts);
    return whole({ ...late, id: `${late.id}-late` }, { failed });
  }

  return {
    started: begin,
    completed(item: ThreadItem, parent: string | undefined): Draft[] {
      if (leftOpen.has(item.id)) return finishLate(item, parent);
      const start = open.has(item.id) ? [] : begin(item, parent);
      return [...start, ...finish(item, parent)];
    },
    /** A delta of a message or plan. */
    text(id: string, text: string): Draft[] {
      return leftOpen.has(id) ? [] : [delta(id, text)];
    },
    reasoning(id: string, parent: string | undefined, text: string): Draft[] {
      if (leftOpen.has(id)) return [];
      const entry = open.get(id);
      const isFirst = !entry || entry.streamed === "";
      if (entry) entry.streamed += text;
      const start = isFirst ? [started(reasoningItem({ id, parent }, ""))] : [];
      return [...start, delta(id, text)];
    },
    /** A delta of a command's output. */
    output(id: string, text: string): Draft[] {
      const entry = open.get(id);
      if (!entry) return [];
      const start = entry.streamed === "" ? [started(toolResult({ id, parent: entry.parent }, ""))] : [];
      entry.streamed += text;
      return [...start, delta(resultId(id), text)];
    },
    has: (id: string) => seen.has(id),
    /** Number of items so far. */
    get count() {
      return seen.size;
    },
    changesOf(id: string): FileUpdateChange[] | undefined {
      const item = open.get(id)?.item;
      return item?.type === "fileChange" ? item.changes : undefined;
    },
    /** The turn has ended: the daemon closes open items. A tool without output so far gets a result. */
    endTurn(interrupted: boolean): Draft[] {
      const entries = [...open.values()];
      for (const { item, streamed } of entries) leftOpen.set(item.id, streamed);
      open.clear();
      const silent = entries.filter(({ item, streamed }) => isTool(item) && streamed === "");
      return silent.flatMap(({ item, parent }) => {
        const result = toolResult({ id: item.id, parent }, interrupted ? "Interrupted." : "Still running.");
        return whole(result, { failed: interrupted });
      });
    },
  };
}

function startOf(item: ThreadItem, identity: ItemIdentity, input: string | undefined): Draft[] {
  if (isTool(item)) {
    const { name, input: shown } = callOf(item);
    const call = toolCall(identity, name, (item.type === "subAgentActivity" && input) || shown);
    return isCallComplete(item) ? whole(call) : [started(call)];
  }
  if (item.type === "agentMessage") return [started(message(identity, []))];
  if (item.type === "plan") return [started(status(identity, planLabel))];
  return [];
}

function toolEnd(item: ToolItem, identity: ItemIdentity): Draft[] {
  const { name, input } = callOf(item);
  const { output, parts, failed } = outcomeOf(item);
  const call = isCallComplete(item) ? [] : [completed(toolCall(identity, name, input))];
  return [...call, completed(toolResult(identity, output, parts), undefined, { failed })];
}

function reasoningItem(identity: ItemIdentity, text: string) {
  return message(identity, [{ type: "reasoning", text, visibility: "public" }]);
}

/** Hidden reasoning has no text and becomes no item. */
function reasoningEnd(
  { summary = [], content = [] }: Extract<ThreadItem, { type: "reasoning" }>,
  identity: ItemIdentity,
  streamed: string,
): Draft[] {
  const text = [...summary, ...content].join("\n\n") || streamed;
  return text === "" ? [] : [completed(reasoningItem(identity, text))];
}

const planLabel = "Plan";

function planItem(identity: ItemIdentity, plan: string) {
  const item = status(identity, planLabel, undefined, { plan });
  return { ...item, content: [...item.content, { type: "text" as const, text: plan }] };
}

/** Items that become status items. */
function notice(item: ThreadItem, identity: ItemIdentity): Draft[] {
  switch (item.type) {
    case "contextCompaction":
      return whole(status(identity, "Context compacted"));
    case "enteredReviewMode":
      return whole(status(identity, "Review started", item.review));
    case "exitedReviewMode":
      return whole(status(identity, "Review finished", item.review));
    case "sleep":
      return whole(status(identity, "Sleeping", `${item.durationMs} ms`, { duration_ms: item.durationMs }));
    case "subAgentActivity":
      return whole(status(identity, "Subagent", `${item.agentPath} ${item.kind}`, item));
    case "hookPrompt":
      return whole(status(identity, "Hook", undefined, item));
    default:
      return [];
  }
}
