import { heapStats } from "bun:jsc";
import { initialState } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { sessionInfo } from "../session/session-info.ts";
import type { LogRecord } from "./encode.ts";
import { CommittedBatch, Feed } from "./feed.ts";

function record(sequence: number, raw: string | null = null): LogRecord {
  return { sequence, text: `{"sequence":${sequence}}`, raw };
}

function listener() {
  const received: number[] = [];
  return { received, deliver: ({ position }: CommittedBatch) => received.push(position) };
}

describe("a listener", () => {
  test("of one session gets only batches of that session", () => {
    const feed = new Feed();
    const { received, deliver } = listener();
    feed.subscribe(1, { deliver });
    feed.publish(new CommittedBatch(2, 1, [record(1)]));
    feed.publish(new CommittedBatch(1, 2, [record(1)]));
    expect(received).toEqual([2]);
  });

  test("of all sessions gets all batches", () => {
    const feed = new Feed();
    const { received, deliver } = listener();
    feed.subscribe(null, { deliver });
    feed.publish(new CommittedBatch(2, 1, [record(1)]));
    feed.publish(new CommittedBatch(1, 2, [record(1)]));
    expect(received).toEqual([1, 2]);
  });

  test("that unsubscribed gets nothing more, but others do", () => {
    const feed = new Feed();
    const [stopped, other] = [listener(), listener()];
    const stop = feed.subscribe(1, stopped);
    feed.subscribe(1, other);
    stop();
    feed.publish(new CommittedBatch(1, 1, [record(1)]));
    expect([stopped.received, other.received]).toEqual([[], [1]]);
  });

  test("can unsubscribe during delivery", () => {
    const feed = new Feed();
    const other = listener();
    const stop = feed.subscribe(1, { deliver: () => stop() });
    feed.subscribe(1, other);
    feed.publish(new CommittedBatch(1, 1, [record(1)]));
    expect(other.received).toEqual([1]);
  });

  test("that unsubscribes twice does not remove later listeners", () => {
    const feed = new Feed();
    const later = listener();
    const stop = feed.subscribe(1, listener());
    stop();
    feed.subscribe(1, later);
    stop();
    feed.publish(new CommittedBatch(1, 1, [record(1)]));
    expect(later.received).toEqual([1]);
  });

  test("that unsubscribed leaves nothing of its session in memory", () => {
    const feed = new Feed();
    const sets = () => {
      Bun.gc(true);
      return heapStats().objectTypeCounts.Set ?? 0;
    };
    const before = sets();
    for (let session = 1; session <= 2000; session++) feed.subscribe(session, listener())();
    expect(sets() - before).toBeLessThan(1000);
    // The feed itself is still in use.
    expect(() => feed.publish(new CommittedBatch(1, 1, [record(1)]))).not.toThrow();
  });

  test("that throws does not affect others, and its error is reported", () => {
    const feed = new Feed();
    const failures: unknown[] = [];
    feed.onFailure = (error) => failures.push(error);
    const broken = new Error("a broken reader");
    const [ofSession, ofAll] = [listener(), listener()];
    feed.subscribe(1, {
      deliver: () => {
        throw broken;
      },
    });
    feed.subscribe(1, ofSession);
    feed.subscribe(null, ofAll);
    feed.publish(new CommittedBatch(1, 1, [record(1)]));
    expect([ofSession.received, ofAll.received, failures]).toEqual([[1], [1], [broken]]);
  });

  test("of all sessions gets announcements as JSON", () => {
    const feed = new Feed();
    const noticed: string[] = [];
    feed.subscribe(1, { deliver: () => {}, notice: (data) => noticed.push(`session: ${data}`) });
    feed.subscribe(null, { deliver: () => {}, notice: (data) => noticed.push(`all: ${data}`) });
    feed.announce({ type: "install.progress" });
    expect(noticed).toEqual(['all: {"type":"install.progress"}']);
  });

  test("is notified when its session is deleted", () => {
    const feed = new Feed();
    const ended: unknown[] = [];
    feed.subscribe(1, { deliver: () => {}, end: () => ended.push(1) });
    feed.subscribe(2, { deliver: () => {}, end: () => ended.push(2) });
    feed.subscribe(null, { deliver: () => {}, deleted: ({ sessionId }) => ended.push(sessionId) });
    feed.end(1, info("gone"));
    expect(ended).toEqual([1, "gone"]);
  });
});

describe("a committed batch", () => {
  const batch = new CommittedBatch(1, 9, [record(3), record(4, '{"a":1}')]);
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  test("knows its first and last sequence", () => {
    expect([batch.first, batch.last]).toEqual([3, 4]);
  });

  test("has frames for one session with sequences as ids", () => {
    expect(textOf(batch.sessionFrames(false))).toBe('id: 3\ndata: {"sequence":3}\n\nid: 4\ndata: {"sequence":4}\n\n');
  });

  test("has frames for all sessions with position.sequence as ids", () => {
    expect(textOf(batch.globalFrames(false))).toBe(
      'id: 9.3\ndata: {"sequence":3}\n\nid: 9.4\ndata: {"sequence":4}\n\n',
    );
  });

  test("adds native messages on request", () => {
    expect(textOf(batch.sessionFrames(true))).toBe(
      'id: 3\ndata: {"sequence":3,"raw":null}\n\nid: 4\ndata: {"sequence":4,"raw":{"a":1}}\n\n',
    );
  });

  test("is encoded once for all readers", () => {
    expect(batch.sessionFrames(false)).toBe(batch.sessionFrames(false));
  });

  test("is never empty", () => {
    expect(() => new CommittedBatch(1, 1, [])).toThrow("at least one record");
  });
});

function info(id: string) {
  return sessionInfo({ id, spec: { agent: "mock" }, state: initialState, firstSequence: 1, createdAt: 0 });
}
