/** Starts and ends of processes, for those who watch: numbered, the last ones kept for those who come back. */
import { ProblemError, type ProcessEvent, type ProcessInfo } from "@sandbox-agent/schema";
import type { Source } from "../follow/follow.ts";
import { type RecentEntry, RecentLog } from "../follow/recent-log.ts";

/** The last 1000 at least: a quarter of this is dropped at once. */
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
      // It is from before a restart of the daemon: all that happened since is news to its reader.
      restart: (cursor) => (cursor > this.#events.last ? 0 : null),
    };
  }

  /** Where a reader goes on that has seen this frame; without one, from now on. */
  positionAfter(lastEventId: string | null): number {
    if (!lastEventId) return this.#events.last;
    if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
    throw new ProblemError("invalid_request", `Last-Event-ID "${lastEventId}" is not the id of a frame of this stream`);
  }
}
