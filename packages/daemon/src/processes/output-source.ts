/** The output of a process or terminal as a source: directly from the writer for live readers, else from disk. */
import type { Source } from "../follow/follow.ts";
import type { LogEntry, OutputSource } from "./output-log.ts";

/** Ends when the output has ended and everything is read. `format` returns null to skip entries. */
export function outputSource<Chunk>(
  log: OutputSource,
  format: (entries: readonly LogEntry[]) => Chunk | null,
): Source<number, Chunk> {
  return {
    page(after) {
      const entries = log.page(after);
      const newest = entries.at(-1);
      if (newest) return { data: format(entries), next: newest.sequence };
      return log.ended ? { data: null, next: after, last: true } : null;
    },
    subscribe: ({ append, changed }) =>
      log.subscribe({
        append: (entry) =>
          append({
            follows: (cursor) => cursor === entry.sequence - 1,
            take: () => ({ data: format([entry]), last: log.ended && entry.sequence === log.last }),
            end: entry.sequence,
          }),
        end: changed,
      }),
  };
}
