/**
 * Finds the commands in a session's events. A tool call is recognized as a command by its arguments, for any agent; the
 * command's output is the item with the result of that call.
 */
import { lazy, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import * as z from "zod";
import type { StoredEvents } from "../follow/session-source.ts";
import { parseJson } from "../parse-json.ts";
import type { Session } from "../session/session.ts";
import { typeOf } from "../store/encode.ts";
import { CommandOutput, commandSize } from "./command-output.ts";
import { Terminal } from "./terminal.ts";

const Arguments = lazy(() => z.object({ command: z.union([z.string(), z.array(z.string())]) }));
const readTypes = new Set(["item.started", "item.completed", "session.ended"]);

export class CommandScan {
  /** By item id, in the order of their starts. */
  readonly terminals = new Map<string, Terminal<CommandOutput>>();
  /** The commands of calls without a result. */
  readonly #calls = new Map<string, string>();
  /** The event that started each result: some agents send the call id only with the output. */
  readonly #starts = new Map<string, UniversalEvent>();

  /** `sequence` is that of the newest event read. */
  constructor(
    private readonly session: Session,
    private readonly stored: StoredEvents,
    private sequence: number,
  ) {}

  /** Scans the log page by page, so that a long session does not block others. */
  async read(isEnough = () => false): Promise<void> {
    const { number, state } = this.session;
    while (this.sequence < state.sequence && !isEnough()) {
      const records = this.stored.history.page(number, this.sequence);
      if (records.length === 0) return;
      for (const record of records) {
        this.sequence = record.sequence;
        if (readTypes.has(typeOf(record))) this.#read(JSON.parse(record.text));
      }
      await new Promise(setImmediate);
    }
  }

  #read(event: UniversalEvent): void {
    if (event.type === "session.ended") for (const { log } of this.terminals.values()) log.end ??= event.sequence;
    if (event.type !== "item.started" && event.type !== "item.completed") return;
    const { item } = event.data;
    if (item.kind === "tool_result") this.#readResult(item, event);
    if (item.kind !== "tool_call") return;
    for (const part of item.content) {
      const command = part.type === "tool_call" ? commandIn(part.arguments) : null;
      if (part.type === "tool_call" && command !== null) this.#calls.set(part.call_id, command);
    }
  }

  #readResult({ item_id: itemId, content }: UniversalItem, event: UniversalEvent): void {
    if (event.type === "item.started") this.#starts.set(itemId, event);
    const start = this.#starts.get(itemId);
    const callId = content.find((part) => part.type === "tool_result")?.call_id ?? "";
    const title = this.#calls.get(callId);
    if (start && title !== undefined) {
      this.#calls.delete(callId);
      const { id: sessionId, number } = this.session;
      const terminal = new Terminal({
        id: `cmd_${number}_${itemId}`,
        kind: "agent",
        title,
        size: commandSize,
        log: new CommandOutput(this.session, this.stored, { itemId, title, start }),
        createdAtMs: Date.parse(start.time),
        origin: { sessionId, itemId },
      });
      this.terminals.set(itemId, terminal);
    }
    if (event.type === "item.started") return;
    this.#starts.delete(itemId);
    const terminal = this.terminals.get(itemId);
    if (terminal) terminal.log.end = event.sequence;
  }
}

function commandIn(toolArguments: string): string | null {
  if (!toolArguments.includes('"command"')) return null;
  // Arguments that are still streaming are not valid JSON.
  const command = Arguments().safeParse(parseJson(toolArguments)).data?.command ?? null;
  return Array.isArray(command) ? command.join(" ") : command;
}
