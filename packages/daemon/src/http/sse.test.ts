import { describe, expect, onTestFinished, test } from "vitest";
import type { SourceListener } from "../follow/follow.ts";
import { EventStreams, type FrameSource } from "./sse.ts";

/** A log of frames. */
class Log implements FrameSource<number> {
  readonly listeners = new Set<SourceListener<number, string>>();
  readonly starts: number[] = [];
  /** Pages never end. */
  endless = false;

  constructor(readonly frames: string[] = []) {}

  page(after: number) {
    this.starts.push(after);
    const data = this.endless ? "data: again\n\n" : this.frames[after];
    return data === undefined ? null : { data, next: after + 1 };
  }

  subscribe(listener: SourceListener<number, string>) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  append(frame: string): void {
    const at = this.frames.push(frame);
    for (const { append } of this.listeners)
      append({ follows: (cursor) => cursor === at - 1, take: () => ({ data: frame }), end: at });
  }
}

interface Setup {
  log?: Log;
  start?: number;
  headers?: Record<string, string>;
  opening?: string;
  everyMs?: number;
}

/** A connection without a timeout. */
const connection = { release: () => {} };

function serve({ log = new Log(), start = 0, headers, opening, everyMs }: Setup = {}) {
  const streams = new EventStreams(everyMs);
  onTestFinished(() => streams.closeAll(0));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ signal }) => streams.open({ signal, connection }, log, start, headers, opening),
  });
  onTestFinished(() => server.stop(true));
  return { streams, log, url: server.url };
}

/** Reads until the text matches; the connection stays open. */
function reading(response: Response) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const piece = await reader?.read();
        if (!piece || piece.done) throw new Error(`the stream ended: ${text}`);
        text += decoder.decode(piece.value, { stream: true });
      }
      return text;
    },
    async rest(): Promise<string> {
      for (;;) {
        const piece = await reader?.read();
        if (!piece || piece.done) return text;
        text += decoder.decode(piece.value, { stream: true });
      }
    },
  };
}

describe("an event stream", () => {
  test("starts with a comment and the opening frames, then sends stored and appended frames", async () => {
    const log = new Log(["data: 1\n\n", "data: 2\n\n"]);
    const { url } = serve({ log, start: 1, opening: "event: reset\ndata: {}\n\n" });
    const { until } = reading(await fetch(url));
    expect(await until("data: 2\n\n")).toBe(": connected\n\nevent: reset\ndata: {}\n\ndata: 2\n\n");
    await expect.poll(() => log.starts).toEqual([1, 2]);
    log.append("data: 3\n\n");
    expect(await until("data: 3\n\n")).toBe(": connected\n\nevent: reset\ndata: {}\n\ndata: 2\n\ndata: 3\n\n");
  });

  test("opens immediately, before anything is written", async () => {
    const { url } = serve();
    expect(await reading(await fetch(url)).until("\n\n")).toBe(": connected\n\n");
  });

  test("is not cached or buffered by proxies, and has the caller's headers", async () => {
    const { url } = serve({ headers: { "last-event-id": "7" } });
    const { headers } = await fetch(url);
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("last-event-id")).toBe("7");
  });

  test("sends comments while it is idle", async () => {
    const { url } = serve({ everyMs: 5 });
    expect(await reading(await fetch(url)).until("keep-alive\n\n: keep-alive\n\n")).toMatch(/^: connected\n\n: keep-/);
  });

  test("is removed when its client disconnects", async () => {
    const { streams, log, url } = serve();
    const controller = new AbortController();
    const { until } = reading(await fetch(url, { signal: controller.signal }));
    await until("connected");
    expect([streams.size, log.listeners.size]).toEqual([1, 1]);
    controller.abort();
    await expect.poll(() => [streams.size, log.listeners.size]).toEqual([0, 0]);
  });

  test("is not opened for a client that has disconnected", async () => {
    const streams = new EventStreams();
    onTestFinished(() => streams.closeAll(0));
    const log = new Log(["data: 1\n\n"]);
    expect(await streams.open({ signal: AbortSignal.abort(), connection }, log, 0).text()).toBe(": connected\n\n");
    expect([streams.size, log.listeners.size]).toEqual([0, 0]);
  });

  test("ends with its log", async () => {
    const { streams, log, url } = serve({ log: new Log(["data: 1\n\n"]) });
    const { until, rest } = reading(await fetch(url));
    await until("data: 1\n\n");
    for (const { end } of log.listeners) end();
    expect(await rest()).toBe(": connected\n\ndata: 1\n\n");
    expect(streams.size).toBe(0);
  });
});

describe("closing all", () => {
  test("ends every stream as soon as it reaches the end of the log", async () => {
    const { streams, url } = serve({ log: new Log(["data: 1\n\n"]) });
    const readers = await Promise.all([1, 2].map(async () => reading(await fetch(url))));
    for (const { until } of readers) await until("data: 1\n\n");
    const began = performance.now();
    await streams.closeAll(60_000);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(streams.size).toBe(0);
    for (const { rest } of readers) expect(await rest()).toBe(": connected\n\ndata: 1\n\n");
  });

  test("ends slow streams when the time is up, and not before", async () => {
    const log = new Log();
    log.endless = true;
    const { streams, url } = serve({ log });
    const { until, rest } = reading(await fetch(url));
    await until("data: again\n\n");
    const began = performance.now();
    await streams.closeAll(100);
    expect(performance.now() - began).toBeGreaterThanOrEqual(100);
    expect([streams.size, log.listeners.size]).toEqual([0, 0]);
    expect(await rest()).toMatch(/again\n\n$/);
  });

  test("stops the comments", async () => {
    const [closed, open] = [serve({ everyMs: 5 }), serve({ everyMs: 5 })];
    await closed.streams.closeAll();
    const silent = reading(await fetch(closed.url));
    await silent.until("connected");
    const comments = ": keep-alive\n\n".repeat(10);
    await reading(await fetch(open.url)).until(comments);
    await closed.streams.closeAll();
    expect(await silent.rest()).toBe(": connected\n\n");
  });
});
