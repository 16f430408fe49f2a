import { describe, expect, test } from "vitest";
import { SandboxAgentError } from "./error.ts";
import { type OpenStream, type ResumeOptions, type Retry, resumeFrames } from "./resume.ts";

describe("a resumed stream", () => {
  test("requests the frames after the last one it has yielded", async () => {
    const requested: (string | null)[] = [];
    const open: OpenStream = async (lastId) => {
      requested.push(lastId);
      const next = Number(lastId ?? 0) + 1;
      // The second frame is incomplete, so it is not yielded.
      return new Response(`id: ${next}\ndata: ${next}\n\nid: ${next + 1}\ndata: cut`);
    };
    expect(await take(open, 3)).toEqual(["1", "2", "3"]);
    expect(requested).toEqual([null, "1", "2"]);
  });

  test("resumes after the last frame that has an id", async () => {
    const requested: (string | null)[] = [];
    const open: OpenStream = async (lastId) => {
      requested.push(lastId);
      return new Response(lastId === null ? "id: 1\ndata: one\n\ndata: notice\n\n" : "id: 2\ndata: two\n\n");
    };
    expect(await take(open, 3)).toEqual(["one", "notice", "two"]);
    expect(requested).toEqual([null, "1"]);
  });

  test("resumes at the daemon's start position if the first connection has no frame", async () => {
    const requested: (string | null)[] = [];
    const open: OpenStream = async (lastId) => {
      requested.push(lastId);
      return lastId === null ? new Response("", { headers: { "last-event-id": "7" } }) : new Response("data: x\n\n");
    };
    expect(await take(open, 1)).toEqual(["x"]);
    expect(requested).toEqual([null, "7"]);
  });

  test("sends the id of the log that was read last, even if a response has none", async () => {
    const logs: (string | null)[] = [];
    const headers = [undefined, "a", undefined, "b"];
    const open: OpenStream = async (_, _signal, log) => {
      const named = headers[logs.length];
      logs.push(log);
      return new Response("data: x\n\n", named ? { headers: { "sandbox-agent-log": named } } : {});
    };
    await take(open, 5);
    expect(logs).toEqual([null, null, "a", "a", "b"]);
  });

  test("reports a reset instead of its frame, and continues after it", async () => {
    const steps: unknown[] = [];
    const requested: (string | null)[] = [];
    const reset = { reason: "beyond_end", log: "b" } as const;
    const open: OpenStream = async (lastId) => {
      requested.push(lastId);
      const again = `id: 0\nevent: reset\ndata: ${JSON.stringify(reset)}\n\n`;
      return new Response(["id: 9\ndata: old\n\n", again, "id: 1\ndata: new\n\n"][requested.length - 1]);
    };
    const onOpen = () => steps.push("open");
    for await (const { data } of resumeFrames(open, { onOpen, onReset: (each) => steps.push(each) })) {
      steps.push(data);
      if (data === "new") break;
    }
    expect(steps).toEqual(["open", "old", "open", reset, "open", "new"]);
    expect(requested).toEqual([null, "9", "0"]);
  });

  test("without listeners skips a reset", async () => {
    const open: OpenStream = async () => new Response("event: reset\ndata: {}\n\ndata: x\n\n");
    expect(await take(open, 2)).toEqual(["x", "x"]);
  });

  test("reports a closed stream without a cause, and a broken connection with its cause", async () => {
    const broke = new TypeError("the connection was reset");
    const causes: unknown[] = [];
    let opened = 0;
    const open: OpenStream = async () => {
      opened += 1;
      if (opened === 2) throw broke;
      return new Response(opened === 1 ? "" : "data: x\n\n");
    };
    await take(open, 1, { onRetry: ({ cause }) => causes.push(cause) });
    expect(causes).toEqual([null, broke]);
  });

  test("removes its listeners from the signal after each connection", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (type: string, listener: () => void) => {
      listeners += 1;
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: () => void) => {
      listeners -= 1;
      remove(type, listener);
    };
    expect(await take(async () => new Response("data: x\n\n"), 3, { signal })).toEqual(["x", "x", "x"]);
    expect(listeners).toBe(0);
  });

  test("reports each failure, waits longer each time, and starts over after a frame", async () => {
    const retries: Retry[] = [];
    let opened = 0;
    const began = performance.now();
    const open: OpenStream = async () => {
      opened += 1;
      if (opened < 4 || opened === 5) throw new SandboxAgentError("cannot reach it");
      return new Response(`data: ${opened}\n\n`);
    };
    expect(await take(open, 2, { onRetry: (retry) => retries.push(retry) })).toEqual(["4", "6"]);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2]);
    for (const { attempt, pauseMs } of retries) {
      expect(pauseMs).toBeLessThanOrEqual(100 * 2 ** (attempt - 1));
      expect(pauseMs).toBeGreaterThanOrEqual(50 * 2 ** (attempt - 1));
    }
    const pauses = retries.reduce((sum, { pauseMs }) => sum + pauseMs, 0);
    expect(performance.now() - began).toBeGreaterThan(0.9 * pauses);
  });

  test("with `ends` resumes after a failure, and ends when it is closed", async () => {
    const requested: (string | null)[] = [];
    const open: OpenStream = async (lastId) => {
      requested.push(lastId);
      if (lastId !== null) return new Response("id: 2\ndata: last\n\n");
      let pulls = 0;
      const breaking = new ReadableStream({
        pull(controller) {
          pulls += 1;
          if (pulls === 1) controller.enqueue(new TextEncoder().encode("id: 1\ndata: first\n\n"));
          else controller.error(new SandboxAgentError("the connection broke"));
        },
      });
      return new Response(breaking);
    };
    expect(await take(open, Number.POSITIVE_INFINITY, { ends: true })).toEqual(["first", "last"]);
    expect(requested).toEqual([null, "1"]);
  });

  test("reconnects after silence", async () => {
    let opened = 0;
    const open: OpenStream = async (_, signal) => {
      opened += 1;
      if (opened === 2) return new Response("data: alive\n\n");
      const silent = new ReadableStream({
        start: (controller) => signal.addEventListener("abort", () => controller.error(signal.reason)),
      });
      return new Response(silent);
    };
    expect(await take(open, 1, { silenceMs: 50 })).toEqual(["alive"]);
  });

  test("fails on a permanent error", async () => {
    const gone = new SandboxAgentError("gone", { response: new Response(null, { status: 404 }) });
    await expect(take(async () => Promise.reject(gone), 1)).rejects.toBe(gone);
  });

  test("ends when its signal is aborted, while reading and while waiting", async () => {
    for (const open of [
      (async () =>
        new Response(
          new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode(":\n\n")) }),
        )) satisfies OpenStream,
      (async () => Promise.reject(new SandboxAgentError("cannot reach it"))) satisfies OpenStream,
    ]) {
      const controller = new AbortController();
      const linked: OpenStream = async (lastId, signal) => linkedTo(await open(), signal, lastId);
      const retries: Retry[] = [];
      const reading = take(linked, 1, { signal: controller.signal, onRetry: (retry) => retries.push(retry) });
      controller.abort(new Error("enough"));
      await expect(reading).rejects.toThrow("enough");
      expect(retries).toEqual([]);
    }
  });
});

/** Like fetch: the body fails when the signal is aborted. */
function linkedTo(response: Response, signal: AbortSignal, _lastId: string | null): Response {
  const body = new TransformStream();
  void response.body?.pipeTo(body.writable, { signal }).catch(() => {});
  return new Response(body.readable);
}

async function take(open: OpenStream, count: number, options: ResumeOptions = {}): Promise<string[]> {
  const data: string[] = [];
  for await (const frame of resumeFrames(open, options)) {
    data.push(frame.data);
    if (data.length === count) break;
  }
  return data;
}
