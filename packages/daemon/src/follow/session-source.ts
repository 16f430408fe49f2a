/** The events of one session as a source; the cursor is the last sequence seen. */
import type { LogRecord } from "../store/encode.ts";
import type { EventLog } from "../store/event-log.ts";
import type { CommittedBatch } from "../store/feed.ts";
import type { History } from "../store/history.ts";
import type { Source, Taken } from "./follow.ts";

export interface StoredEvents {
  log: EventLog;
  history: History;
}

/** How a reader gets records that were read, and a batch that was just committed. */
interface EventFormat<Chunk> {
  records(records: readonly LogRecord[]): Taken<Chunk>;
  batch(batch: CommittedBatch): Taken<Chunk>;
}

export function sessionSource<Chunk>(
  stored: StoredEvents,
  sessionNumber: number,
  format: EventFormat<Chunk>,
): Source<number, Chunk> {
  return {
    page(after) {
      // From memory if possible, else from the database.
      const records = stored.log.newestAfter(sessionNumber, after) ?? stored.history.page(sessionNumber, after);
      const newest = records.at(-1);
      return newest ? { ...format.records(records), next: newest.sequence } : null;
    },
    subscribe: ({ append, end }) =>
      stored.log.feed.subscribe(sessionNumber, {
        deliver: (batch) =>
          append({
            follows: (cursor) => cursor === batch.first - 1,
            take: () => format.batch(batch),
            end: batch.last,
          }),
        end,
      }),
  };
}
