/**
 * The newest entries of a log in memory, numbered from 1 and limited in size. Readers read at their own pace; one that falls
 * behind the oldest entry continues with that one.
 */
import type { Source } from "./follow.ts";

export interface RecentEntry {
  id: number;
  text: string;
}

interface Kept extends RecentEntry {
  /** Characters of all entries up to this one, including dropped entries. */
  end: number;
}

interface Reader {
  changed(): void;
  /** The last entry it has read. */
  cursor: number;
}

const maxCharacters = 32 * 1024 * 1024;
/** A writer that waits for its readers is at most about this far ahead of the fastest one. */
const backlogCharacters = 4 * 1024 * 1024;
const pageCharacters = 256 * 1024;

export class RecentLog {
  readonly #readers = new Set<Reader>();
  readonly #waiting: (() => void)[] = [];
  /** Resolves when the log has ended and has no readers. */
  readonly #finished = Promise.withResolvers<void>();
  #kept: Kept[] = [];
  #last = 0;
  #characters = 0;
  #ended = false;

  constructor(private readonly maxEntries = Number.POSITIVE_INFINITY) {}

  get readers(): number {
    return this.#readers.size;
  }

  /** The id of the newest entry. */
  get last(): number {
    return this.#last;
  }

  push(text: string): void {
    if (this.#ended) return;
    this.#characters += text.length;
    this.#kept.push({ id: ++this.#last, text, end: this.#characters });
    if (this.#kept.length > this.maxEntries || this.#charactersAfter(0) > maxCharacters) this.#drop();
    for (const reader of this.#readers) reader.changed();
  }

  /** Ends the log. Readers get the remaining entries first; resolves when all readers have ended. */
  end(): Promise<void> {
    this.#ended = true;
    for (const reader of this.#readers) reader.changed();
    if (this.#readers.size === 0) this.#finished.resolve();
    return this.#finished.promise;
  }

  /**
   * Back-pressure for the writer: a promise that resolves when the fastest reader has read most of the backlog, or null if
   * there is no reason to wait. Without readers it is null.
   */
  backPressure(): Promise<void> | null {
    if (this.#backlog() <= backlogCharacters) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** A source for one reader. */
  source<Chunk>(format: (entries: readonly RecentEntry[]) => Chunk): Source<number, Chunk> {
    const reader: Reader = { changed: () => {}, cursor: 0 };
    return {
      page: (after) => {
        reader.cursor = after;
        this.#resumeWriters();
        const entries = this.#page(after);
        const newest = entries.at(-1);
        if (newest) return { data: format(entries), next: newest.id };
        return this.#ended ? { data: null, next: after, last: true } : null;
      },
      subscribe: ({ changed }) => {
        reader.changed = changed;
        this.#readers.add(reader);
        return () => {
          this.#readers.delete(reader);
          this.#resumeWriters();
          if (this.#ended && this.#readers.size === 0) this.#finished.resolve();
        };
      },
    };
  }

  #page(after: number): Kept[] {
    const from = this.#indexAfter(after);
    const limit = (this.#kept[from]?.end ?? 0) + pageCharacters;
    let to = from + 1;
    while ((this.#kept[to]?.end ?? Number.POSITIVE_INFINITY) < limit) to += 1;
    return this.#kept.slice(from, to);
  }

  #indexAfter(id: number): number {
    return Math.max(0, id + 1 - (this.#kept[0]?.id ?? 0));
  }

  #charactersAfter(id: number): number {
    const next = this.#kept[this.#indexAfter(id)];
    return next ? this.#characters - next.end + next.text.length : 0;
  }

  #backlog(): number {
    if (this.#readers.size === 0) return 0;
    return Math.min(...[...this.#readers].map(({ cursor }) => this.#charactersAfter(cursor)));
  }

  #resumeWriters(): void {
    if (this.#waiting.length === 0 || this.#backlog() > backlogCharacters / 2) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Drops a quarter at once, so that it does not run for every entry. The newest entry always stays. */
  #drop(): void {
    const oldest = this.#characters - (maxCharacters * 3) / 4;
    const tooMany = this.#kept.length > this.maxEntries ? Math.ceil(this.maxEntries / 4) : 0;
    const tooOld = this.#kept.findIndex(({ end }) => end > oldest);
    this.#kept = this.#kept.slice(Math.min(Math.max(tooMany, tooOld), this.#kept.length - 1));
  }
}
