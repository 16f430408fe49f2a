/**
 * Reads all kinds of logs: events of sessions, output of processes, messages of ACP servers. A reader is either live and
 * gets what is appended directly, or behind and reads pages from the log at the pace of its sink. There is no queue per
 * reader: a slow reader falls back to the log, so it loses nothing and costs no memory.
 */
import { background } from "@sandbox-agent/agents";
import { takeTurn } from "../slices.ts";

/** A log that can be read from a cursor and notifies about appends. A cursor is the last entry that was read. */
export interface Source<Cursor, Chunk> {
  /** The next page after a cursor; null at the end of the log. Must take a few milliseconds at most. */
  page(after: Cursor): Page<Cursor, Chunk> | null;
  subscribe(listener: SourceListener<Cursor, Chunk>): () => void;
  /** Where to start instead, for a cursor beyond the end, which comes from another log. Null for every other cursor. */
  restart?(cursor: Cursor): Cursor | null;
}

export interface Page<Cursor, Chunk> extends Taken<Chunk> {
  next: Cursor;
}

export interface Taken<Chunk> {
  /** Null if this reader gets nothing of it. */
  data: Chunk | null;
  /** True if nothing can follow. */
  last?: boolean;
}

export interface SourceListener<Cursor, Chunk> {
  /** Something was appended and is in memory. */
  append(appended: Appended<Cursor, Chunk>): void;
  /** There may be more in the log, or it has ended. A live reader reads it from the log. */
  changed(): void;
  /** The log was deleted. */
  end(): void;
  /** Data that is not in the log. Readers that are behind do not get it. */
  notice(chunk: Chunk): void;
}

export interface Appended<Cursor, Chunk> {
  /** Whether this comes right after a cursor. */
  follows(cursor: Cursor): boolean;
  /** Called once by each reader whose cursor it follows. */
  take(): Taken<Chunk>;
  end: Cursor;
}

export interface Sink<Chunk> {
  /** Returns null if more can be written at once, else a promise that resolves when it can. A rejection ends the reader. */
  write(chunk: Chunk): Promise<unknown> | null;
  /** Everything in the log has been written. */
  caughtUp?(): void;
  /** Called once, after the last write. With an error if reading or writing has failed. */
  end(error?: unknown): void;
}

export interface Follower<Cursor, Chunk> {
  /** Writes data that is not in the log; dropped if the reader is behind. */
  notice(chunk: Chunk): void;
  /** Continues after another cursor. Only while a write is pending. */
  seek(cursor: Cursor): void;
  /** Ends at the end of the log. */
  finish(): void;
  /** Ends at once. */
  stop(): void;
}

/** Writes everything after `start` to a sink, past and live. The first write comes after this function has returned. */
export function follow<Cursor, Chunk>(
  source: Source<Cursor, Chunk>,
  start: Cursor,
  sink: Sink<Chunk>,
): Follower<Cursor, Chunk> {
  let cursor = source.restart?.(start) ?? start;
  let live = false;
  let finishing = false;
  let ended = false;

  function end(error?: unknown): void {
    if (ended) return;
    ended = true;
    live = false;
    unsubscribe();
    try {
      sink.end(error);
    } catch (failure) {
      background("end a reader", Promise.reject(failure));
    }
  }

  function fail(error: unknown): void {
    if (!ended) background("follow a log", Promise.reject(error));
    end(error);
  }

  const step = () => guarded(readPage);
  const scheduleRead = () => takeTurn(step);

  /** Returns false if the reader must wait for the sink, or nothing follows. */
  function write({ data, last }: Taken<Chunk>): boolean {
    const drained = data === null ? null : sink.write(data);
    if (drained) {
      live = false;
      drained.then(last ? () => end() : scheduleRead, end);
    } else if (last) end();
    return !drained && !last;
  }

  /** An error of one reader affects neither the writer nor other readers. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  }

  /** Reads one page. */
  function readPage(): void {
    if (ended) return;
    const page = source.page(cursor);
    // Nothing can be appended between `page` and the next line, so a reader that becomes live misses nothing.
    if (!page) {
      live = true;
      sink.caughtUp?.();
      if (finishing) end();
      return;
    }
    cursor = page.next;
    if (write(page)) scheduleRead();
  }

  function changed(): void {
    if (!live) return;
    live = false;
    scheduleRead();
  }

  function append(appended: Appended<Cursor, Chunk>): void {
    if (!live) return;
    if (!appended.follows(cursor)) return changed();
    cursor = appended.end;
    guarded(() => write(appended.take()));
  }

  function notice(chunk: Chunk): void {
    if (live) guarded(() => write({ data: chunk }));
  }

  const unsubscribe = source.subscribe({ append, changed, end: () => end(), notice });
  // Deferred, because the first page may end the reader, and the caller needs the returned object first.
  queueMicrotask(step);
  return {
    notice,
    seek(to) {
      cursor = to;
    },
    finish() {
      finishing = true;
      if (live) end();
    },
    stop: () => end(),
  };
}
