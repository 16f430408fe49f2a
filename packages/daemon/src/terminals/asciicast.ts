/** A terminal's log as an asciicast v2 recording: a header, then one line per event. */
import { type LogEntry, pages } from "../processes/output-log.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { RedactedStream } from "../secrets/redacted-stream.ts";
import { sizeOf } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

/** The recording, one page of the log at a time, with secrets redacted. */
export function* asciicast(terminal: Terminal, secrets: KnownSecrets): Generator<string> {
  let startMs: number | null = null;
  let seconds = 0;
  const output = new RedactedStream(secrets);
  const decoder = new TextDecoder();
  for (const page of pages(terminal.log)) {
    let text = "";
    for (const entry of page) {
      if (startMs === null) {
        startMs = entry.timestampMs;
        text += header(terminal, entry);
      }
      seconds = Math.max(0, entry.timestampMs - startMs) / 1000;
      // A character may be split between two entries.
      const shown = entry.kind === "resize" ? null : decoder.decode(entry.data, { stream: true });
      text += shown === null ? resize(entry, seconds) : outputEvent(output.push(shown), seconds);
    }
    yield text;
  }
  yield outputEvent(output.end(), seconds);
}

function header(terminal: Terminal, first: LogEntry): string {
  const { cols, rows } = first.kind === "resize" ? sizeOf(first.data) : terminal.size;
  const { title } = terminal.info();
  const timestamp = Math.floor(first.timestampMs / 1000);
  return `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, title, env: { TERM: "xterm-256color" } })}\n`;
}

function resize({ data }: LogEntry, seconds: number): string {
  const { cols, rows } = sizeOf(data);
  return `${JSON.stringify([seconds, "r", `${cols}x${rows}`])}\n`;
}

function outputEvent(shown: string, seconds: number): string {
  return shown === "" ? "" : `${JSON.stringify([seconds, "o", shown])}\n`;
}
