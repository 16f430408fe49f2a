/** An open event stream. Each read continues after the previous one. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import { readFrames, type SseFrame } from "./sse.ts";

export interface EventFrame extends SseFrame {
  event: UniversalEvent;
}

export class EventReader {
  readonly #frames: AsyncGenerator<SseFrame>;

  constructor(
    readonly response: Response,
    private readonly parse: (frame: SseFrame) => UniversalEvent,
  ) {
    this.#frames = readFrames(response);
  }

  /** The next frame, or null when the daemon has closed the stream. */
  async next(): Promise<EventFrame | null> {
    const { value, done } = await this.#frames.next();
    return done ? null : { ...value, event: this.parse(value) };
  }

  /** The frames up to and including the first whose event matches. */
  async until(matches: (event: UniversalEvent) => boolean): Promise<EventFrame[]> {
    const frames: EventFrame[] = [];
    for (;;) {
      const frame = await this.next();
      if (!frame) throw new Error(`the stream ended after ${frames.map(({ event }) => event.type).join(", ")}`);
      frames.push(frame);
      if (matches(frame.event)) return frames;
    }
  }

  /** The next frames, this many. */
  async take(count: number): Promise<EventFrame[]> {
    let left = count;
    return this.until(() => --left === 0);
  }

  /** All further frames, until the daemon closes the stream. */
  async rest(): Promise<EventFrame[]> {
    const frames: EventFrame[] = [];
    for (let frame = await this.next(); frame; frame = await this.next()) frames.push(frame);
    return frames;
  }

  async close(): Promise<void> {
    await this.#frames.return(undefined);
  }
}
