/** Events as text. Each event is serialized once; the log, all readers and the history use that text. */
import { NativeText } from "@sandbox-agent/agents/draft";
import type { UniversalEvent } from "@sandbox-agent/schema";

/** One event as it is stored and sent. */
export interface LogRecord {
  sequence: number;
  text: string;
  /** The agent's native message as JSON, sent only on request. */
  raw: string | null;
}

export function charactersIn(records: readonly LogRecord[]): number {
  let characters = 0;
  for (const { text, raw } of records) characters += text.length + (raw?.length ?? 0);
  return characters;
}

/** Returns the encoder of one session. Fields that stay the same are serialized once. */
export function recordEncoder(sessionId: string): (event: UniversalEvent) => LogRecord {
  const session = JSON.stringify(sessionId);
  let native: string | null = null;
  let nativeText = "null";

  return (event) => {
    if (event.native_session_id !== native) {
      native = event.native_session_id;
      nativeText = JSON.stringify(native);
    }
    const text = `{"event_id":"${event.event_id}","sequence":${event.sequence},"time":"${event.time}","session_id":${session},"native_session_id":${nativeText},"source":"${event.source}","synthetic":${event.synthetic},"type":"${event.type}","data":${JSON.stringify(event.data)}}`;
    return { sequence: event.sequence, text, raw: rawText(event.raw) };
  };
}

function rawText(raw: unknown): string | null {
  if (raw instanceof NativeText) return raw.json;
  return raw === undefined ? null : (JSON.stringify(raw) ?? null);
}

const typeMark = ',"type":"';

/** Finds the type without parsing: the mark cannot occur earlier, because quotes inside strings are escaped. */
export function typeOf({ text }: LogRecord): string {
  const begin = text.indexOf(typeMark) + typeMark.length;
  return text.slice(begin, text.indexOf('"', begin));
}

export function eventText({ text, raw }: LogRecord, includeRaw: boolean): string {
  return includeRaw ? `${text.slice(0, -1)},"raw":${raw ?? "null"}}` : text;
}

export function eventFrame(id: string | number, record: LogRecord, includeRaw: boolean): string {
  return `id: ${id}\ndata: ${eventText(record, includeRaw)}\n\n`;
}

/** The current time as RFC 3339, formatted once per millisecond. */
export function clock(): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
