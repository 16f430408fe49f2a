/**
 * The commands that agents run, as terminals to watch. An item tells that a command runs by the arguments of its call;
 * which agent it is does not matter.
 */
import type { Infer, ToolCallPart, UniversalItem } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Terminal } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

const Command = z.object({ command: z.union([z.string(), z.array(z.string())]) });
const size = { cols: 120, rows: 40 };
/** How many that have ended can still be looked at. */
const maxEnded = 16;
const utf8 = new TextEncoder();

export class AgentTerminals {
  readonly #terminals: Terminals;
  /** The command of each call whose result has not come yet. */
  readonly #commands = new Map<string, string>();
  readonly #running = new Map<string, Terminal>();
  readonly #ended: string[] = [];

  constructor(terminals: Terminals) {
    this.#terminals = terminals;
  }

  /** An item has begun or is complete. */
  item(sessionId: string, item: UniversalItem, isComplete: boolean): void {
    if (item.kind === "tool_call") return this.#remember(item);
    if (item.kind !== "tool_result") return;
    if (isComplete) this.#end(sessionId, item);
    else this.#open(sessionId, item);
  }

  /** An item has grown. */
  output(itemId: string, text: string): void {
    this.#running.get(itemId)?.feed(lines(text));
  }

  #remember({ content }: UniversalItem): void {
    for (const part of content) {
      const command = part.type === "tool_call" ? commandOf(part) : null;
      if (part.type === "tool_call" && command !== null) this.#commands.set(part.call_id, command);
    }
  }

  #open(sessionId: string, { item_id, content }: UniversalItem): Terminal | null {
    const result = content.find((part) => part.type === "tool_result");
    const title = result && this.#commands.get(result.call_id);
    if (!result || title === undefined) return null;
    this.#commands.delete(result.call_id);
    const id = `cmd_${crypto.randomUUID().slice(0, 8)}`;
    const terminal = this.#terminals.open({
      id,
      kind: "agent",
      title,
      size,
      log: this.#terminals.createLog(id),
      device: { pendingInput: 0 },
      origin: { sessionId, itemId: item_id },
    });
    terminal.feed(lines(`$ ${title}\n${result.output}`));
    this.#running.set(item_id, terminal);
    return terminal;
  }

  /** Some agents tell a command and its output only when it is over. */
  #end(sessionId: string, item: UniversalItem): void {
    const terminal = this.#running.get(item.item_id) ?? this.#open(sessionId, item);
    if (!terminal) return;
    this.#running.delete(item.item_id);
    terminal.end(null);
    this.#ended.push(terminal.id);
    const oldest = this.#ended.length > maxEnded ? this.#ended.shift() : undefined;
    if (oldest !== undefined && this.#terminals.list().some(({ id }) => id === oldest)) this.#terminals.close(oldest);
  }
}

function commandOf(part: Infer<typeof ToolCallPart>): string | null {
  // Arguments may still be arriving, and be no JSON yet.
  if (!part.arguments.includes('"command"')) return null;
  try {
    const { command } = Command.parse(JSON.parse(part.arguments));
    return typeof command === "string" ? command : command.join(" ");
  } catch {
    return null;
  }
}

/** A terminal wants a carriage return before each line feed; commands in pipes write none. */
function lines(text: string): Uint8Array {
  return utf8.encode(text.replaceAll(/\r?\n/g, "\r\n"));
}
