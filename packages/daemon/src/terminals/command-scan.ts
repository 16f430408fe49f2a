/**
 * The commands in a session's events. A tool call is a command by its arguments, whichever agent made it; what the command
 * writes is the item with the result of that call.
 */
import { lazy, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import * as z from "zod";
import { type LogRecord, typeOf } from "../store/encode.ts";

export interface Command {
  sessionId: string;
  itemId: string;
  title: string;
  startedAtMs: number;
  /** Sequence of the event that started its item. */
  first: number;
  /** Sequence of the event that ended it; null while it runs. */
  last: number | null;
}

const Arguments = lazy(() => z.object({ command: z.union([z.string(), z.array(z.string())]) }));
const readTypes = new Set(["item.started", "item.completed", "session.ended"]);

export class CommandScan {
  /** By the id of the item, in the order of their starts. */
  readonly #commands = new Map<string, Command>();
  /** The command of each call that has no result yet. */
  readonly #calls = new Map<string, string>();
  /** The event that started each result, as long as its call is not known: some agents name it only with the output. */
  readonly #starts = new Map<string, UniversalEvent>();

  /** `sequence` is that of the newest event that was read. */
  constructor(public sequence: number) {}

  /** Reads the events that follow. */
  read(records: readonly LogRecord[]): void {
    for (const record of records) {
      this.sequence = record.sequence;
      if (readTypes.has(typeOf(record))) this.#read(JSON.parse(record.text));
    }
  }

  commands(): Command[] {
    return [...this.#commands.values()];
  }

  command(itemId: string): Command | null {
    return this.#commands.get(itemId) ?? null;
  }

  forget(itemId: string): void {
    this.#commands.delete(itemId);
  }

  /** Forgets the oldest of those that have ended. */
  keep(maxEnded: number): void {
    const ended = this.commands().filter(({ last }) => last !== null);
    for (const { itemId } of ended.slice(0, -maxEnded)) this.forget(itemId);
  }

  #read(event: UniversalEvent): void {
    if (event.type === "session.ended") {
      for (const command of this.#commands.values()) command.last ??= event.sequence;
    } else if (event.type === "item.started" || event.type === "item.completed") {
      const { item } = event.data;
      if (item.kind === "tool_call") this.#remember(item);
      if (item.kind !== "tool_result") return;
      if (event.type === "item.completed") this.#complete(item, event);
      else if (!this.#start(item, event)) this.#starts.set(item.item_id, event);
    }
  }

  #remember({ content }: UniversalItem): void {
    for (const part of content) {
      const command = part.type === "tool_call" ? commandIn(part.arguments) : null;
      if (part.type === "tool_call" && command !== null) this.#calls.set(part.call_id, command);
    }
  }

  #start({ item_id: itemId, content }: UniversalItem, start: UniversalEvent): Command | null {
    const result = content.find((part) => part.type === "tool_result");
    const title = result && this.#calls.get(result.call_id);
    if (!result || title === undefined) return null;
    this.#calls.delete(result.call_id);
    const { session_id: sessionId, sequence: first, time } = start;
    const command = { sessionId, itemId, title, startedAtMs: Date.parse(time), first, last: null };
    this.#commands.set(itemId, command);
    return command;
  }

  #complete(item: UniversalItem, { sequence }: UniversalEvent): void {
    const start = this.#starts.get(item.item_id);
    this.#starts.delete(item.item_id);
    const command = this.#commands.get(item.item_id) ?? (start && this.#start(item, start));
    if (command) command.last = sequence;
  }
}

function commandIn(toolArguments: string): string | null {
  // Arguments may still be arriving, and be no JSON yet.
  if (!toolArguments.includes('"command"')) return null;
  try {
    const { command } = Arguments().parse(JSON.parse(toolArguments));
    return typeof command === "string" ? command : command.join(" ");
  } catch {
    return null;
  }
}
