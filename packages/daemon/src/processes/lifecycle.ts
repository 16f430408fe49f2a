/** Starts and ends of processes, for those who watch: numbered, the last ones kept for those who come back. */
import { ProblemError, type ProcessEvent, type ProcessInfo } from "@sandbox-agent/schema";
import type { FrameReader, FrameSource } from "../http/sse.ts";

const keptEvents = 1000;

export class Lifecycle {
  readonly #announce: (event: ProcessEvent) => void;
  readonly #frames: string[] = [];
  readonly #readers = new Set<FrameReader<number>>();
  #sequence = 0;

  constructor(announce: (event: ProcessEvent) => void) {
    this.#announce = announce;
  }

  get sequence(): number {
    return this.#sequence;
  }

  publish(type: ProcessEvent["type"], data: ProcessInfo): void {
    const event: ProcessEvent = { type, time: new Date().toISOString(), data };
    const sequence = ++this.#sequence;
    const frame = `id: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`;
    this.#frames.push(frame);
    if (this.#frames.length > keptEvents) this.#frames.shift();
    const batch = {
      follows: (cursor: number) => cursor === sequence - 1,
      take: () => ({ frames: frame }),
      end: sequence,
    };
    for (const reader of [...this.#readers]) reader.deliver(batch);
    this.#announce(event);
  }

  frames(): FrameSource<number> {
    return {
      page: (after) => {
        const missed = Math.max(0, Math.min(this.#sequence - after, this.#frames.length));
        return missed === 0 ? null : { text: this.#frames.slice(-missed).join(""), next: this.#sequence };
      },
      subscribe: (reader) => {
        this.#readers.add(reader);
        return () => this.#readers.delete(reader);
      },
    };
  }

  /** Where a reader goes on that has seen this frame; without one, from now on. */
  positionAfter(lastEventId: string | null): number {
    if (!lastEventId) return this.#sequence;
    if (!/^\d{1,15}$/.test(lastEventId))
      throw new ProblemError(
        "invalid_request",
        `Last-Event-ID "${lastEventId}" is not the id of a frame of this stream`,
      );
    // A larger one is from before a restart: all that happened since is news to its reader.
    return Number(lastEventId) > this.#sequence ? 0 : Number(lastEventId);
  }
}
