/**
 * The audit log: who did what, when, from where, and how it ended. One line of JSON per request in files that are only ever
 * appended to, and of which the oldest are deleted. Reading liveness and pages for people is not recorded.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { background } from "@sandbox-agent/agents";
import type { AuditEntry } from "@sandbox-agent/schema";
import { Slice } from "../slices.ts";

export interface AuditLimits {
  /** A file is read as a whole, so this is also what reading one page costs. */
  fileBytes: number;
  files: number;
}

const defaultLimits: AuditLimits = { fileBytes: 2 * 1024 * 1024, files: 32 };
/** Without a directory the newest entries are in memory. */
const maxEntriesInMemory = 10_000;
/** Nothing a client sends may make an entry longer than this. */
const maxTextCharacters = 500;

export interface AuditFilter {
  principal?: string | undefined;
  session?: string | undefined;
  operation?: string | undefined;
}

export class AuditLog {
  #lines: string[] = [];
  #file: { descriptor: number; bytes: number } | null = null;
  #flush: Timer | null = null;
  readonly #inMemory: string[] = [];

  /** null = in memory only. */
  constructor(
    private readonly directory: string | null,
    private readonly onFailure: (error: unknown) => void,
    private readonly redact: (text: string) => string,
    private readonly limits = defaultLimits,
  ) {
    if (directory) mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  record(entry: Omit<AuditEntry, "id" | "time">): void {
    const line = JSON.stringify({ id: Bun.randomUUIDv7(), time: new Date().toISOString(), ...entry }, (_, value) =>
      typeof value === "string" ? this.redact(value).slice(0, maxTextCharacters) : value,
    );
    this.#lines.push(line);
    // Requests of one tick are written together.
    this.#flush ??= setTimeout(() => this.flush(), 0);
  }

  flush(): void {
    if (this.#flush) clearTimeout(this.#flush);
    this.#flush = null;
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    if (!this.directory) {
      this.#inMemory.push(...lines);
      this.#inMemory.splice(0, this.#inMemory.length - maxEntriesInMemory);
      return;
    }
    try {
      this.#append(this.directory, `${lines.join("\n")}\n`);
    } catch (error) {
      // The disk may be full: requests continue, and the daemon's own log reports the failure.
      this.onFailure(error);
    }
  }

  close(): void {
    this.flush();
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = null;
  }

  /** Newest first, those before the entry with the id `before`; `more` = there are older ones. */
  async page(
    limit: number,
    before: string | undefined,
    filter: AuditFilter,
  ): Promise<{ entries: AuditEntry[]; more: boolean }> {
    this.flush();
    const entries: AuditEntry[] = [];
    const slice = new Slice();
    for (const lines of this.#newestFirst()) {
      for (const line of lines.toReversed()) {
        const entry = entryIn(line);
        if (!entry || (before !== undefined && entry.id >= before) || !matches(entry, filter)) continue;
        if (entries.length === limit) return { entries, more: true };
        entries.push(entry);
        if (slice.isOver) await slice.next();
      }
    }
    return { entries, more: false };
  }

  *#newestFirst(): Generator<string[]> {
    if (!this.directory) return yield this.#inMemory;
    for (const name of filesIn(this.directory).toReversed())
      yield readFileSync(join(this.directory, name), "utf8").split("\n");
  }

  #append(directory: string, text: string): void {
    this.#file ??= open(directory);
    const bytes = Buffer.from(text);
    writeSync(this.#file.descriptor, bytes);
    this.#file.bytes += bytes.length;
    if (this.#file.bytes < this.limits.fileBytes) return;
    closeSync(this.#file.descriptor);
    this.#file = null;
    const old = filesIn(directory).slice(0, 1 - this.limits.files);
    for (const name of old) background("deleting an old audit log", rm(join(directory, name), { force: true }));
  }
}

/** Named after their start time, so that names sort by time. */
function open(directory: string): { descriptor: number; bytes: number } {
  // Two of the same millisecond are two files too: one may end with a line that a crash has cut off.
  const name = `audit-${new Date().toISOString().replaceAll(":", "-")}-${Bun.randomUUIDv7()}.jsonl`;
  return { descriptor: openSync(join(directory, name), "a", 0o600), bytes: 0 };
}

function filesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => /^audit-.*\.jsonl$/.test(name))
    .sort();
}

/** null for an incomplete line, which a crash may leave. */
function entryIn(line: string): AuditEntry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function matches(entry: AuditEntry, { principal, session, operation }: AuditFilter): boolean {
  return (
    (principal === undefined || entry.principal === principal) &&
    (session === undefined || entry.session === session) &&
    (operation === undefined || entry.operation === operation)
  );
}
