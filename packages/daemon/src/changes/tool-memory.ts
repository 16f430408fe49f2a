/** The tool calls of a turn, as far as needed to say which of them changed a file. */
import type { ContentPart, FileChange, UniversalItem } from "@sandbox-agent/schema";

interface Call {
  callId: string;
  /** Its arguments and the files it is said to have touched: where a path is looked for. */
  text: string;
  isOpen: boolean;
}

const rememberedCalls = 32;
const rememberedText = 64 * 1024;

export class ToolMemory {
  #calls: Call[] = [];

  observe(item: UniversalItem, isCompleted: boolean): void {
    if (item.kind !== "tool_call" && item.kind !== "tool_result") return;
    for (const part of item.content) {
      if (part.type !== "tool_call" && part.type !== "tool_result") continue;
      const call = this.#call(part.call_id);
      call.text = (call.text + textOf(item.content)).slice(-rememberedText);
      // A call is over with its result: many agents complete the call itself as soon as its arguments are known.
      call.isOpen = !(part.type === "tool_result" && isCompleted);
    }
  }

  /** Names the call behind each change: one that speaks of the path, or the only one that was at work. */
  attribute(changes: readonly FileChange[]): FileChange[] {
    const open = this.#calls.filter(({ isOpen }) => isOpen);
    const last = this.#calls.at(-1);
    const atWork = open.length > 0 ? open : last ? [last] : [];
    return changes.map((change) => {
      const names = this.#calls.findLast(({ text }) => text.includes(escaped(change.path)));
      const call = names ?? (atWork.length === 1 ? atWork[0] : undefined);
      return call ? { ...change, call_id: call.callId } : change;
    });
  }

  #call(callId: string): Call {
    const known = this.#calls.find((call) => call.callId === callId);
    if (known) return known;
    const call = { callId, text: "", isOpen: true };
    this.#calls = [...this.#calls.slice(1 - rememberedCalls), call];
    return call;
  }
}

function textOf(content: readonly ContentPart[]): string {
  return content
    .map((part) => {
      if (part.type === "tool_call") return part.arguments;
      return part.type === "file_ref" && part.action !== "read" ? escaped(part.path) : "";
    })
    .join("\n");
}

/** A path as it is written inside JSON. */
function escaped(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
