/** A page of a session's events: the stored texts, joined and streamed, so that a session may have any size. */
import { eventText } from "../store/encode.ts";
import type { History } from "../store/history.ts";

export interface Span {
  sessionNumber: number;
  /** The sequence before the first. */
  after: number;
  last: number;
  /** Whether there are events after the last. */
  hasMore: boolean;
}

export function eventPage(
  history: Pick<History, "page">,
  { sessionNumber, after, last, hasMore }: Span,
  includeRaw: boolean,
  signal: AbortSignal,
): ReadableStream {
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      let cursor = after;
      let before = '{"events":[';
      while (cursor < last && !signal.aborted) {
        const records = history.page(sessionNumber, cursor, last - cursor);
        const end = records.at(-1);
        if (!end) break;
        cursor = end.sequence;
        await controller.write(before + records.map((record) => eventText(record, includeRaw)).join(","));
        before = ",";
        // A fast client must not block the loop: other requests are served in between.
        if (cursor < last) await new Promise(setImmediate);
      }
      await controller.write(`${cursor === after ? before : ""}],"hasMore":${hasMore}}`);
      controller.close();
    },
  });
}
