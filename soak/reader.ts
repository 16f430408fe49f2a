/**
 * Readers of event streams that reconnect, read slowly, or stop reading. Each must receive every event once and in order. They
 * keep a digest of each event to compare it with the log.
 */
import type { SoakDaemon } from "./daemon.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";
import { type Frame, openStream, type StreamSocket } from "./stream-socket.ts";

export interface Reader {
  /** Digests of a session's events, in order. */
  seen(sessionId: string): readonly number[];
  /** From now on reads without drops and pauses. */
  readSteadily(): void;
  /** Drops and pauses again. */
  readErratically(): void;
  stop(): void;
}

export interface ReaderContext {
  daemon: SoakDaemon;
  ledger: Ledger;
  random: Random;
}

export const digest = (text: string): number => Bun.hash.crc32(text);

export function readSession(context: ReaderContext, session: SoakSession): Reader {
  const digests: number[] = [];
  return keepReading(context, {
    name: `a reader of ${session.id}`,
    path: `/v1/sessions/${session.id}/events/sse`,
    mayEnd: () => session.deletion !== "none",
    cursor: () => String(digests.length),
    onFrame({ id, data }) {
      if (Number(id) !== digests.length + 1)
        context.ledger.violate("order", `a reader of ${session.id} received ${id} after ${digests.length}`);
      digests.push(digest(data));
    },
    seen: () => digests,
  });
}

/** One reader of the stream of all sessions, from the first event. */
export function readAllSessions(context: ReaderContext): Reader & { forget(sessionId: string): void } {
  const sessions = new Map<string, number[]>();
  let cursor = "0";
  const reader = keepReading(context, {
    name: "a reader of all sessions",
    path: "/v1/events/sse",
    mayEnd: () => false,
    cursor: () => cursor,
    onFrame({ id, data }) {
      cursor = id;
      const event: { session_id: string; sequence: number } = JSON.parse(data);
      const digests = sessions.get(event.session_id) ?? [];
      sessions.set(event.session_id, digests);
      if (event.sequence !== digests.length + 1)
        context.ledger.violate(
          "order",
          `the stream of all sessions sent ${event.sequence} of ${event.session_id} after ${digests.length} (frame ${id})`,
        );
      digests.push(digest(data));
    },
    seen: (sessionId) => sessions.get(sessionId) ?? [],
  });
  return { ...reader, forget: (sessionId) => void sessions.delete(sessionId) };
}

interface Subject {
  name: string;
  path: string;
  /** Whether the daemon may close the stream. */
  mayEnd(): boolean;
  cursor(): string;
  onFrame(frame: Frame): void;
  seen(sessionId: string): readonly number[];
}

const reconnectMs = 100;
const habits = { steady: 4, drops: 4, slow: 2, stalls: 1 };

function keepReading({ daemon, ledger, random }: ReaderContext, subject: Subject): Reader {
  let isSteady = false;
  let stopped = false;
  let current: StreamSocket | null = null;

  async function connectOnce(): Promise<void> {
    await daemon.ready();
    const { starts } = daemon;
    const habit = isSteady ? "steady" : random.weighted(habits);
    const framesPerPause = random.between(1, 400);
    let frames = 0;
    let dropped = false;
    const stream = openStream(daemon.url, subject.path, subject.cursor(), (frame) => {
      // Frames that were in flight when the connection was dropped are received again on the next one.
      if (dropped) return;
      subject.onFrame(frame);
      frames += 1;
      if (isSteady || frames % framesPerPause !== 0) return;
      if (habit === "drops") {
        dropped = true;
        stream.destroy();
      } else if (habit === "stalls") stream.pause();
      else if (habit === "slow") {
        stream.pause();
        setTimeout(stream.resume, random.between(1, 50));
      }
    });
    current = stream;
    ledger.count(`readers, ${habit}`);
    const status = await stream.closed;
    const isExpected = dropped || stopped || starts !== daemon.starts || !daemon.isUp;
    if (isExpected) return;
    if (subject.mayEnd()) stopped = true;
    else ledger.violate("stream-cut", `the daemon closed the stream of ${subject.name} (status ${status})`);
    await Bun.sleep(reconnectMs);
  }

  void (async () => {
    while (!stopped) await connectOnce();
  })();
  return {
    seen: subject.seen,
    readSteadily() {
      isSteady = true;
      current?.resume();
    },
    readErratically() {
      isSteady = false;
    },
    stop() {
      stopped = true;
      current?.destroy();
    },
  };
}
