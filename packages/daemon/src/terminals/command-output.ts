/**
 * What a command of an agent has written, read from the events of its session: one entry for each event after the start of
 * its item, empty for events of other items, so that the position of an entry follows from the sequence of its event.
 */
import type { TerminalSize, UniversalEvent, UniversalItem } from "@sandbox-agent/schema";
import type { LogEntry, LogListener, OutputSource } from "../processes/output-log.ts";
import { type LogRecord, typeOf } from "../store/encode.ts";
import type { Feed } from "../store/feed.ts";
import type { History } from "../store/history.ts";
import type { Command } from "./command-scan.ts";

export const commandSize: TerminalSize = { cols: 120, rows: 40 };
const itemTypes = new Set(["item.started", "item.delta", "item.completed"]);
const utf8 = new TextEncoder();
const nothing = new Uint8Array();
/** The first entry is the size; those of the events follow. */
const sizeEntry = 1;

export class CommandOutput implements OutputSource {
  readonly #mark: string;
  #isDeleted = false;
  /** Whether anything but the command itself was shown. Everyone reads from the start, or after someone who did. */
  #hasOutput = false;

  /** `newest` is the sequence of the newest event in the log. */
  constructor(
    private readonly command: Command,
    private readonly sessionNumber: number,
    private readonly history: History,
    private readonly feed: Feed,
    private newest: number,
  ) {
    this.#mark = `"item_id":${JSON.stringify(command.itemId)}`;
  }

  get last(): number {
    return this.#position(Math.min(this.newest, this.command.last ?? this.newest));
  }

  get ended(): boolean {
    return this.command.last !== null || this.#isDeleted;
  }

  /** The log has events up to this sequence. */
  reaches(sequence: number): void {
    this.newest = Math.max(this.newest, sequence);
  }

  page(after: number): LogEntry[] {
    if (this.#isDeleted) return [];
    const { first, startedAtMs } = this.command;
    const records = this.history.page(this.sessionNumber, first + Math.max(1, after) - sizeEntry - 1);
    const entries = this.#entries(records);
    if (after > 0) return entries;
    const size = utf8.encode(JSON.stringify(commandSize));
    return [{ sequence: sizeEntry, kind: "resize", timestampMs: startedAtMs, data: size }, ...entries];
  }

  /** Counts no further than a page. */
  bytesAfter(sequence: number): number {
    const page = this.page(sequence);
    if ((page.at(-1)?.sequence ?? sequence) < this.last) return Number.POSITIVE_INFINITY;
    return page.reduce((sum, { data }) => sum + data.length, 0);
  }

  subscribe(listener: LogListener): () => void {
    return this.feed.subscribe(this.sessionNumber, {
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
    const entries: LogEntry[] = [];
    for (const record of records) {
      if (record.sequence > (this.command.last ?? record.sequence)) break;
      this.reaches(record.sequence);
      entries.push(this.#entry(record));
    }
    return entries;
  }

  #entry(record: LogRecord): LogEntry {
    const entry = { sequence: this.#position(record.sequence), kind: "pty", timestampMs: 0, data: nothing } as const;
    const type = typeOf(record);
    if (type === "session.ended") this.command.last ??= record.sequence;
    if (!itemTypes.has(type) || !record.text.includes(this.#mark)) return entry;
    const event: UniversalEvent = JSON.parse(record.text);
    return { ...entry, timestampMs: Date.parse(event.time), data: terminalText(this.#shownBy(event)) };
  }

  #shownBy(event: UniversalEvent): string {
    if (event.type === "item.delta") return this.#output(event.data.delta);
    if (event.type === "item.started") return `$ ${this.command.title}\n${this.#output(resultIn(event.data.item))}`;
    if (event.type !== "item.completed") return "";
    this.command.last = event.sequence;
    return this.#hasOutput ? "" : resultIn(event.data.item);
  }

  #output(text: string): string {
    this.#hasOutput ||= text !== "";
    return text;
  }

  #position(sequence: number): number {
    return sequence - this.command.first + sizeEntry + 1;
  }
}

function resultIn({ content }: UniversalItem): string {
  return content.find((part) => part.type === "tool_result")?.output ?? "";
}

/** A terminal needs a carriage return before each line feed; commands in pipes write none. */
function terminalText(text: string): Uint8Array {
  return utf8.encode(text.replaceAll(/\r?\n/g, "\r\n"));
}
