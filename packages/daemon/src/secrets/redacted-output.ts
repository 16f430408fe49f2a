/**
 * Redacts the output of programs. It can be any bytes, so each byte is searched as one character and all others stay
 * unchanged. Live terminals are not redacted, because programs count the characters they write; recordings and logs are.
 */
import type { OutputStream } from "@sandbox-agent/schema";
import type { EntryKind, LogEntry, OutputSource } from "../processes/output-log.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { RedactedStream } from "./redacted-stream.ts";

export class RedactedBytes {
  readonly #stream: RedactedStream;

  constructor(secrets: KnownSecrets) {
    this.#stream = new RedactedStream(secrets);
  }

  push(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const passed = this.#stream.push(text);
    return passed === text ? bytes : Buffer.from(passed, "latin1");
  }

  end(): Uint8Array {
    return Buffer.from(this.#stream.end(), "latin1");
  }
}

/** Entries read before the first one, because a secret may begin in them. */
const maxEntriesBefore = 64;

/** One reader of a log. Output that is held back comes with the next entry of the same kind, or at the end of the log. */
export class RedactedLog {
  #streams = new Map<EntryKind, RedactedBytes>();
  #last = 0;

  constructor(
    private readonly log: OutputSource,
    private readonly secrets: KnownSecrets,
  ) {}

  redact(entries: readonly LogEntry[]): LogEntry[] {
    const [first] = entries;
    if (first && first.sequence !== this.#last + 1) this.#readBefore(first.sequence);
    return entries.map((entry) => this.#redact(entry));
  }

  /** The output that is still held back when the log has ended. */
  end(): { kind: OutputStream; data: Uint8Array }[] {
    return [...this.#streams].flatMap(([kind, stream]) => {
      const data = stream.end();
      return kind === "resize" || data.length === 0 ? [] : [{ kind, data }];
    });
  }

  #redact(entry: LogEntry): LogEntry {
    const { sequence, kind } = entry;
    this.#last = sequence;
    if (kind === "resize") return entry;
    const stream = this.#streams.get(kind) ?? new RedactedBytes(this.secrets);
    this.#streams.set(kind, stream);
    return { ...entry, data: stream.push(entry.data) };
  }

  /** A reader that starts in the middle holds back the same output as one that started earlier. */
  #readBefore(sequence: number): void {
    this.#streams = new Map();
    let last = Math.max(0, sequence - 1 - maxEntriesBefore);
    while (last < sequence - 1) {
      const before = this.log.page(last).filter((entry) => entry.sequence < sequence);
      if (before.length === 0) return;
      for (const entry of before) this.#redact(entry);
      last = this.#last;
    }
  }
}
