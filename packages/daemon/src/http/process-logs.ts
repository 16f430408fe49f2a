/** Logs of processes: stored output as a page, or followed as a stream. */
import type { Infer, LogStream, ProcessLogEntry } from "@sandbox-agent/schema";
import { type LogEntry, type OutputLog, pages } from "../processes/output-log.ts";
import { outputSource } from "../processes/output-source.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { RedactedLog } from "../secrets/redacted-output.ts";
import type { FrameSource } from "./sse.ts";

type Selection = Infer<typeof LogStream>;

interface LogSelection {
  stream: Selection;
  since: number;
  tail?: number | undefined;
}

export function keptEntries(
  log: OutputLog,
  secrets: KnownSecrets,
  { stream, since, tail }: LogSelection,
): ProcessLogEntry[] {
  const reader = new RedactedLog(log, secrets);
  const read = [...pages(log, since)].flatMap((page) => reader.redact(page));
  const rest = log.ended ? heldEntries(log, reader) : [];
  const entries = [...read, ...rest].flatMap((entry) => select(entry, stream));
  return tail === undefined ? entries : entries.slice(Math.max(0, entries.length - tail));
}

/** A stream's source and its start. It ends when the process has ended and everything is sent. */
export function logFrames(
  log: OutputLog,
  secrets: KnownSecrets,
  selection: LogSelection,
): [source: FrameSource<number>, start: number] {
  const { stream, since, tail } = selection;
  const reader = new RedactedLog(log, secrets);
  const framesOf = (entries: readonly LogEntry[]) =>
    entries
      .flatMap((entry) => select(entry, stream))
      .map(logFrame)
      .join("") || null;
  const source = outputSource(log, (entries) => framesOf(reader.redact(entries)));
  const complete: FrameSource<number> = {
    ...source,
    page(after) {
      const page = source.page(after);
      return page?.last ? { ...page, data: framesOf(heldEntries(log, reader)) } : page;
    },
  };
  if (tail === undefined) return [complete, since];
  const [first] = keptEntries(log, secrets, selection);
  return [complete, first ? first.sequence - 1 : log.last];
}

/** The text that was held back until the end of the log, as a continuation of its last entry. */
function heldEntries(log: OutputLog, reader: RedactedLog): LogEntry[] {
  return reader.end().map((held) => ({ ...held, sequence: log.last, timestampMs: Date.now() }));
}

export function logFrame(entry: ProcessLogEntry): string {
  return `event: log\nid: ${entry.sequence}\ndata: ${JSON.stringify(entry)}\n\n`;
}

function select({ sequence, kind, timestampMs, data }: LogEntry, stream: Selection): ProcessLogEntry[] {
  if (kind === "resize" || (stream !== "combined" && stream !== kind)) return [];
  return [{ sequence, stream: kind, timestampMs, data: Buffer.from(data).toString("base64"), encoding: "base64" }];
}
