/**
 * Readers of event streams that come and go, read slowly, or stop reading. Whatever they do, each must see every event
 * once and in order; they keep a digest of each for the comparison with the log.
 */
import type { SoakDaemon } from "./daemon.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";
import { type Frame, openStream, type StreamSocket } from "./stream-socket.ts";

export interface Reader {
  /** Digests of a session's events, in order. */
  seen(sessionId: string): readonly number[];
  /** No more drops and pauses. */
  calmDown(): void;
  /** As before. */
  liven(): void;
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
    take({ id, data }) {
      if (Number(id) !== digests.length + 1)
        context.ledger.violate("order", `a reader of ${session.id} got ${id} after ${digests.length}`);
      digests.push(digest(data));
    },
    seen: () => digests,
  });
}

/** One reader of everything that happens, from the beginning. */
export function readAllSessions(context: ReaderContext): Reader & { forget(sessionId: string): void } {
  const sessions = new Map<string, number[]>();
  let cursor = "0";
  const reader = keepReading(context, {
    name: "a reader of all sessions",
    path: "/v1/events/sse",
    mayEnd: () => false,
    cursor: () => cursor,
    take({ id, data }) {
      cursor = id;
      const event: { session_id: string; sequence: number } = JSON.parse(data);
      const digests = sessions.get(event.session_id) ?? [];
      sessions.set(event.session_id, digests);
      if (event.sequence !== digests.length + 1)
        context.ledger.violate(
          "order",
          `the stream of all sessions told ${event.sequence} of ${event.session_id} after ${digests.length} (frame ${id})`,
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
  take(frame: Frame): void;
  seen(sessionId: string): readonly number[];
}

const again = 100;
const habits = { steady: 4, drops: 4, slow: 2, stalls: 1 };

function keepReading({ daemon, ledger, random }: ReaderContext, subject: Subject): Reader {
  let calm = false;
  let stopped = false;
  let current: StreamSocket | null = null;

  async function connectOnce(): Promise<void> {
    await daemon.ready();
    const life = daemon.life;
    const habit = calm ? "steady" : random.weighted(habits);
    const patience = random.between(1, 400);
    let frames = 0;
    let dropped = false;
    const stream = openStream(daemon.url, subject.path, subject.cursor(), (frame) => {
      // What was on its way when the connection was dropped is for the next one.
      if (dropped) return;
      subject.take(frame);
      frames += 1;
      if (calm || frames % patience !== 0) return;
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
    const ours = dropped || stopped || life !== daemon.life || !daemon.isUp;
    if (ours) return;
    if (subject.mayEnd()) stopped = true;
    else ledger.violate("stream-cut", `the daemon closed the stream of ${subject.name} (status ${status})`);
    await Bun.sleep(again);
  }

  void (async () => {
    while (!stopped) await connectOnce();
  })();
  return {
    seen: subject.seen,
    calmDown() {
      calm = true;
      current?.resume();
    },
    liven() {
      calm = false;
    },
    stop() {
      stopped = true;
      current?.destroy();
    },
  };
}
