/** Lifecycle events of processes: numbered, with the latest kept for readers that reconnect. */
import { ProblemError, type ProcessEvent, type ProcessInfo } from "@sandbox-agent/schema";
import type { Source } from "../follow/follow.ts";
import { type RecentEntry, RecentLog } from "../follow/recent-log.ts";

/** Keeps at least the last 1000: a quarter of this is evicted at once. */
const maxEvents = 1334;

export class Lifecycle {
  readonly #events = new RecentLog(maxEvents);

  constructor(private readonly announce: (event: ProcessEvent) => void) {}

  publish(type: ProcessEvent["type"], data: ProcessInfo): void {
    const event: ProcessEvent = { type, time: new Date().toISOString(), data };
    this.#events.push(JSON.stringify(event));
    this.announce(event);
  }

  frames(): Source<number, string> {
    const toFrames = (events: readonly RecentEntry[]) =>
      events.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`).join("");
    return {
      ...this.#events.source(toFrames),
      // The cursor is from before a restart of the daemon: the reader gets everything since.
      restart: (cursor) => (cursor > this.#events.last ? 0 : null),
    };
  }

  /** Where a reader resumes after this frame; without one, from now on. */
  positionAfter(lastEventId: string | null): number {
    if (!lastEventId) return this.#events.last;
    if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
    throw new ProblemError("invalid_request", `Last-Event-ID "${lastEventId}" is not the id of a frame of this stream`);
  }
}
