/** Logs of processes: what is kept as a page, and what follows as a stream. */
import type { Infer, LogStream, ProcessLogEntry } from "@sandbox-agent/schema";
import { type LogEntry, type OutputLog, pages } from "../processes/output-log.ts";
import { outputSource } from "../processes/output-source.ts";
import type { FrameSource } from "./sse.ts";

type Selection = Infer<typeof LogStream>;

export function keptEntries(log: OutputLog, stream: Selection, since: number, tail?: number): ProcessLogEntry[] {
  const entries = [...pages(log, since)].flatMap((page) => page.flatMap((entry) => select(entry, stream)));
  return tail === undefined ? entries : entries.slice(Math.max(0, entries.length - tail));
}

/** A source for a stream and where it starts. It ends when the process has ended and everything was sent. */
export function logFrames(
  log: OutputLog,
  stream: Selection,
  since: number,
  tail?: number,
): [source: FrameSource<number>, start: number] {
  const framesOf = (entries: readonly LogEntry[]) => entries.flatMap((entry) => select(entry, stream)).map(logFrame);
  const source = outputSource(log, (entries) => framesOf(entries).join("") || null);
  if (tail === undefined) return [source, since];
  const [first] = keptEntries(log, stream, since, tail);
  return [source, first ? first.sequence - 1 : log.last];
}

export function logFrame(entry: ProcessLogEntry): string {
  return `event: log\nid: ${entry.sequence}\ndata: ${JSON.stringify(entry)}\n\n`;
}

function select({ sequence, kind, timestampMs, data }: LogEntry, stream: Selection): ProcessLogEntry[] {
  if (kind === "resize" || (stream !== "combined" && stream !== kind)) return [];
  return [{ sequence, stream: kind, timestampMs, data: Buffer.from(data).toString("base64"), encoding: "base64" }];
}
