/**
 * Follows a log at the pace of whoever takes its entries: straight from the writer as long as it keeps up, from disk when
 * it does not. Nothing is queued in memory.
 */
import type { LogEntry, OutputSource } from "./output-log.ts";

export interface LogTaker {
  /** Takes entries; the next come when it resolves. May move the position by answering with a sequence. */
  take(entries: readonly LogEntry[]): Promise<number | undefined>;
  /** Everything that is kept has been taken. With `ended`, nothing follows. */
  dry(ended: boolean): void;
}

/** Returns the way to stop. */
export function followLog(log: OutputSource, after: number, { take, dry }: LogTaker): () => void {
  let position = after;
  let busy = false;
  let stopped = false;

  async function pump(first: readonly LogEntry[]): Promise<void> {
    busy = true;
    for (let entries = first; entries.length > 0 && !stopped; entries = log.page(position)) {
      position = entries.at(-1)?.sequence ?? position;
      const moved = await take(entries);
      if (typeof moved === "number") position = moved;
    }
    busy = false;
    if (stopped) return;
    if (log.ended) stop();
    dry(log.ended);
  }

  const unsubscribe = log.subscribe({
    append: (entry) => {
      if (!busy) void pump(entry.sequence === position + 1 ? [entry] : log.page(position));
    },
    end: () => {
      if (!busy) void pump([]);
    },
  });

  function stop(): void {
    stopped = true;
    unsubscribe();
  }

  void pump(log.page(position));
  return stop;
}
