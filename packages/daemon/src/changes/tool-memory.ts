/** Remembers the tool calls of a turn to find out which of them changed a file. */
import type { ContentPart, FileChange, UniversalItem } from "@sandbox-agent/schema";

interface Call {
  callId: string;
  /** Its arguments and the files it refers to, in which paths are searched. */
  text: string;
  isOpen: boolean;
}

const rememberedCalls = 32;
const rememberedText = 16 * 1024;
const searchedPaths = 200;

export class ToolMemory {
  #calls: Call[] = [];

  observe(item: UniversalItem, isCompleted: boolean): void {
    if (item.kind !== "tool_call" && item.kind !== "tool_result") return;
    for (const part of item.content) {
      if (part.type !== "tool_call" && part.type !== "tool_result") continue;
      const call = this.#call(part.call_id);
      const text = textOf(item.content);
      if (!call.text.endsWith(text)) call.text = (call.text + text).slice(-rememberedText);
      // A call ends with its result: many agents complete the call item as soon as its arguments are known.
      call.isOpen = !(part.type === "tool_result" && isCompleted);
    }
  }

  /** Adds the call id to each change: the call that mentions the path, or else the only running call. */
  attribute(changes: readonly FileChange[]): FileChange[] {
    const open = this.#calls.filter(({ isOpen }) => isOpen);
    const last = this.#calls.at(-1);
    const running = open.length > 0 ? open : last ? [last] : [];
    // A call does not mention hundreds of files, and searching for them takes long.
    const isBurst = changes.length > searchedPaths;
    return changes.map((change) => {
      const mentioning = isBurst ? undefined : this.#calls.findLast(({ text }) => mentions(text, change.path));
      const call = mentioning ?? (running.length === 1 ? running[0] : undefined);
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
      if (part.type === "tool_call") return part.arguments.replace(/\\[nrt]/g, " ");
      return part.type === "file_ref" && part.action !== "read" ? escaped(part.path) : "";
    })
    .join("\n");
}

/** Whether a text contains a path as a whole, not as a part of another path or word. */
function mentions(text: string, path: string): boolean {
  const wanted = escaped(path);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.slice(at + wanted.length, at + wanted.length + 2)];
    if (!/[\w.-]/.test(before) && !/^([\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}

/** A path as it is written inside JSON. */
function escaped(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
