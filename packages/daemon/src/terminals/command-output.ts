/**
 * The output of an agent's command, read from the events of its session: one entry for each event since the start of its
 * item, with the event's sequence; empty for events of other items.
 */
import type { TerminalSize, UniversalEvent, UniversalItem } from "@sandbox-agent/schema";
import type { StoredEvents } from "../follow/session-source.ts";
import type { LogEntry, LogListener, OutputSource } from "../processes/output-log.ts";
import type { Session } from "../session/session.ts";
import { type LogRecord, typeOf } from "../store/encode.ts";

export const commandSize: TerminalSize = { cols: 120, rows: 40 };
const itemTypes = new Set(["item.started", "item.delta", "item.completed"]);
const utf8 = new TextEncoder();
const nothing = new Uint8Array();

interface Command {
  itemId: string;
  title: string;
  /** The event that started its item. */
  start: UniversalEvent;
}

export class CommandOutput implements OutputSource {
  /** Sequence of the event that ended the command; null while it runs. */
  end: number | null = null;
  readonly #mark: string;
  #isDeleted = false;
  /** Whether any output was read so far. Every reader starts at the beginning, or after one that did. */
  #hasOutput = false;

  constructor(
    private readonly session: Session,
    private readonly stored: StoredEvents,
    private readonly command: Command,
  ) {
    this.#mark = `"item_id":${JSON.stringify(command.itemId)}`;
  }

  get last(): number {
    const { number, state } = this.session;
    return this.end ?? state.sequence - this.stored.log.pendingRecords(number).length;
  }

  get ended(): boolean {
    return this.end !== null || this.#isDeleted;
  }

  page(after: number): LogEntry[] {
    if (this.#isDeleted) return [];
    const { sequence: first, time } = this.command.start;
    const entries = this.#entries(this.stored.history.page(this.session.number, Math.max(after, first - 1)));
    if (after >= first - 1) return entries;
    // The size comes first, with the sequence before the start; that is free, because no session starts with an item.
    const size = utf8.encode(JSON.stringify(commandSize));
    return [{ sequence: first - 1, kind: "resize", timestampMs: Date.parse(time), data: size }, ...entries];
  }

  /** Counts at most one page. */
  bytesAfter(sequence: number): number {
    const page = this.page(sequence);
    if ((page.at(-1)?.sequence ?? sequence) < this.last) return Number.POSITIVE_INFINITY;
    return page.reduce((sum, { data }) => sum + data.length, 0);
  }

  subscribe(listener: LogListener): () => void {
    return this.stored.log.feed.subscribe(this.session.number, {
      deliver: ({ records }) => {
        for (const entry of this.#entries(records)) listener.append(entry);
      },
      end: () => {
        this.#isDeleted = true;
        listener.end();
      },
    });
  }

  #entries(records: readonly LogRecord[]): LogEntry[] {
    // The entry may set the end.
    return records.flatMap((record) => (record.sequence > (this.end ?? record.sequence) ? [] : [this.#entry(record)]));
  }

  #entry(record: LogRecord): LogEntry {
    const entry = { sequence: record.sequence, kind: "pty", timestampMs: 0, data: nothing } as const;
    const type = typeOf(record);
    if (type === "session.ended") this.end ??= record.sequence;
    if (!itemTypes.has(type) || !record.text.includes(this.#mark)) return entry;
    const event: UniversalEvent = JSON.parse(record.text);
    return { ...entry, timestampMs: Date.parse(event.time), data: terminalText(this.#shownBy(event)) };
  }

  #shownBy(event: UniversalEvent): string {
    if (event.type === "item.delta") return this.#output(event.data.delta);
    if (event.type === "item.started") return `$ ${this.command.title}\n${this.#output(resultIn(event.data.item))}`;
    if (event.type !== "item.completed") return "";
    this.end = event.sequence;
    return this.#hasOutput ? "" : resultIn(event.data.item);
  }

  #output(text: string): string {
    this.#hasOutput ||= text !== "";
    return text;
  }
}

function resultIn({ content }: UniversalItem): string {
  return content.find((part) => part.type === "tool_result")?.output ?? "";
}

/** Terminals need a carriage return before each line feed; programs on pipes write none. */
function terminalText(text: string): Uint8Array {
  return utf8.encode(text.replaceAll(/\r?\n/g, "\r\n"));
}
