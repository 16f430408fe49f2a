/** A terminal's log as an asciicast v2 recording: a header, then one line per event. */
import { type LogEntry, pages } from "../processes/output-log.ts";
import { sizeOf } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

/** The recording, a page of the log at a time. */
export function* asciicast(terminal: Terminal): Generator<string> {
  let startMs: number | null = null;
  const decoder = new TextDecoder();
  for (const page of pages(terminal.log)) {
    let text = "";
    for (const entry of page) {
      if (startMs === null) {
        startMs = entry.timestampMs;
        text += header(terminal, entry);
      }
      text += event(entry, startMs, decoder);
    }
    yield text;
  }
}

function header(terminal: Terminal, first: LogEntry): string {
  const { cols, rows } = first.kind === "resize" ? sizeOf(first.data) : terminal.size;
  const { title } = terminal.info();
  const timestamp = Math.floor(first.timestampMs / 1000);
  return `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, title, env: { TERM: "xterm-256color" } })}\n`;
}

function event({ kind, timestampMs, data }: LogEntry, startMs: number, decoder: TextDecoder): string {
  const seconds = Math.max(0, timestampMs - startMs) / 1000;
  if (kind === "resize") {
    const { cols, rows } = sizeOf(data);
    return `${JSON.stringify([seconds, "r", `${cols}x${rows}`])}\n`;
  }
  // A character may be split between two entries.
  const shown = decoder.decode(data, { stream: true });
  return shown === "" ? "" : `${JSON.stringify([seconds, "o", shown])}\n`;
}
