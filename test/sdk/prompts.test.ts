/** A prompt with broken connections: the requests it sends and the events the caller gets. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { eventsFrom, growingLog, type Script, type Sent, scriptedClient, streamOf } from "./scripted-daemon.ts";

const started = { type: "turn.started", data: { phase: "started", turn_id: "t" } } as const;
const ended = { type: "turn.ended", data: { phase: "ended", turn_id: "t" } } as const;
const notice = { type: "session.updated", data: { metadata: { title: "x" } } } as const;

const isMessage = ({ path }: Sent) => path === "/v1/sessions/s/messages/stream";
const isStream = ({ path }: Sent) => path === "/v1/sessions/s/events/sse";

describe("a message whose response is lost", () => {
  test("is sent again with the same key", async () => {
    const { prompt, sent } = scripted(() => {
      if (sent.length <= 2) throw new TypeError("the connection was reset");
      return streamOf(eventsFrom(1, started, ended));
    });
    expect(await sequences(prompt("hello"))).toEqual([1, 2]);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ message: "hello" }));
  });

  test("is sent again with the same key when the stream breaks before its first event", async () => {
    const { prompt, sent } = scripted(() =>
      sent.length === 1 ? streamOf([], "breaks") : streamOf(eventsFrom(1, started, ended)),
    );
    expect(await sequences(prompt("hello"))).toEqual([1, 2]);
    const [first, second] = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  test("has a key of its own, or the one the caller chose", async () => {
    const { prompt, sent } = scripted(() => streamOf(eventsFrom(1, started, ended)));
    await sequences(prompt("hello"));
    await sequences(prompt("hello"));
    await sequences(prompt("hello", { headers: { "idempotency-key": "mine" } }));
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe("mine");
  });

  test("waits longer each time before it is sent again", async () => {
    const began = performance.now();
    const { prompt, sent } = scripted(() => {
      if (sent.length < 4) throw new TypeError("the connection was reset");
      return streamOf(eventsFrom(1, started, ended));
    });
    await sequences(prompt("hello"));
    // 100, 200 and 400 ms, of which jitter leaves at least half.
    expect(performance.now() - began).toBeGreaterThan(340);
  });
});

describe("a turn whose stream breaks after its first events", () => {
  test.each(["closes", "breaks"] as const)("resumes after the last of them when it %s", async (end) => {
    const { prompt, sent } = scripted((request) =>
      isMessage(request)
        ? streamOf(eventsFrom(5, started, notice), end)
        : streamOf(eventsFrom(Number(request.query.get("offset")) + 1, notice, ended)),
    );
    expect(await sequences(prompt("hello", { headers: { "x-mine": "1" } }))).toEqual([5, 6, 7, 8]);
    expect(sent.map(isStream)).toEqual([false, true]);
    expect(sent[1]?.query.get("offset")).toBe("6");
    expect(sent[1]?.headers.get("x-mine")).toBe("1");
    expect(sent[1]?.headers.get("idempotency-key")).toBeNull();
  });

  test("resumes without a pause", async () => {
    const { prompt, sent } = scripted((request) =>
      streamOf(isMessage(request) ? eventsFrom(1, started) : eventsFrom(2, ended)),
    );
    const turn = prompt("hello");
    await turn.next();
    const next = turn.next();
    // Far shorter than a pause.
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve));
    expect(sent.map(isStream)).toEqual([false, true]);
    await next;
  });

  test.each([
    [undefined, "false"],
    [true, "true"],
  ] as const)("requests raw agent messages from both streams when includeRaw is %s", async (includeRaw, expected) => {
    const { prompt, sent } = scripted((request) =>
      streamOf(isMessage(request) ? eventsFrom(1, started) : eventsFrom(2, ended)),
    );
    await sequences(prompt("hello", includeRaw === undefined ? {} : { includeRaw }));
    expect(sent.map(({ query }) => query.get("include_raw"))).toEqual([expected, expected]);
  });
});

describe("a turn ends", () => {
  test.each([
    ["with its session", { type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" } }],
    ["when its message is cancelled", { type: "message.cancelled", data: { message_id: "m1" } }],
  ] as const)("%s", async (_, last) => {
    const { prompt } = scripted(() =>
      streamOf(eventsFrom(1, notice, last, notice), "closes", { "x-message-id": "m1" }),
    );
    expect(await sequences(prompt("hello"))).toEqual([1, 2]);
  });

  test("not when another message is cancelled", async () => {
    const other = { type: "message.cancelled", data: { message_id: "m2" } } as const;
    const { prompt } = scripted(() =>
      streamOf(eventsFrom(1, other, started, ended), "closes", { "x-message-id": "m1" }),
    );
    expect(await sequences(prompt("hello"))).toEqual([1, 2, 3]);
  });
});

test("a permanent error is thrown, and the message is not sent again", async () => {
  const { prompt, sent } = scripted(() => Response.json({ type: "about:blank", title: "no" }, { status: 404 }));
  await expect(sequences(prompt("hello"))).rejects.toMatchObject({ status: 404 });
  expect(sent).toHaveLength(1);
});

test("aborting between two attempts rejects with the reason", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const { prompt, sent } = scripted(() => {
    controller.abort(reason);
    throw new TypeError("the connection was reset");
  });
  await expect(sequences(prompt("hello", { signal: controller.signal }))).rejects.toBe(reason);
  expect(sent).toHaveLength(1);
});

test("aborting during the turn rejects with the reason", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const { prompt, sent } = scripted(() => streamOf(eventsFrom(1, started), "breaks"));
  const turn = prompt("hello", { signal: controller.signal });
  await turn.next();
  controller.abort(reason);
  await expect(turn.next()).rejects.toBe(reason);
  expect(sent).toHaveLength(1);
});

test("no listeners are left on the caller's signal", async () => {
  const { signal, listeners } = countedSignal();
  const { prompt } = scripted((request) =>
    isMessage(request) ? streamOf(eventsFrom(1, started), "breaks") : streamOf(eventsFrom(2, notice, ended)),
  );
  await sequences(prompt("hello", { signal }));
  expect(listeners()).toBe(0);
  for await (const _ of prompt("stopped early", { signal })) break;
  expect(listeners()).toBe(0);
});

test("a session object reads history before it applies the events of a prompt", async () => {
  const history = eventsFrom(1, { type: "session.started", data: {} }, started, ended);
  const log = growingLog(history);
  const { client, sent } = scriptedClient((request, signal) =>
    isMessage(request) ? streamOf(eventsFrom(4, started, ended)) : log.answer(request, signal),
  );
  const session = client.session("s");
  expect(await sequences(session.prompt("hello"))).toEqual([4, 5]);
  expect(session.transcript()).toMatchObject({ lastSequence: 5, turns: [{ lastSequence: 3 }, { lastSequence: 5 }] });
  expect(sent.map(({ path }) => path)).toEqual(["/v1/sessions/s/messages/stream", "/v1/sessions/s/events"]);
});

test("a session object also reads a history of one event", async () => {
  const log = growingLog(eventsFrom(1, { type: "session.started", data: { metadata: { title: "named" } } }));
  const { client } = scriptedClient((request, signal) =>
    isMessage(request) ? streamOf(eventsFrom(2, started, ended)) : log.answer(request, signal),
  );
  const session = client.session("s");
  const types: string[] = [];
  session.on("event", ({ type }) => types.push(type));
  await sequences(session.prompt("hello"));
  expect(types).toEqual(["session.started", "turn.started", "turn.ended"]);
});

function scripted(script: Script) {
  const { client, sent } = scriptedClient(script);
  const prompt = (message: string, options = {}) => client.streamTurn("s", { message }, options);
  return { prompt, sent };
}

async function sequences(events: AsyncIterable<UniversalEvent>): Promise<number[]> {
  const read: number[] = [];
  for await (const { sequence } of events) read.push(sequence);
  return read;
}

/** A signal that counts its listeners. */
function countedSignal() {
  const { signal } = new AbortController();
  const listening = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((type: "abort", listener: () => void, options?: object) => {
    listening.add(listener);
    add(type, listener, options);
  }) as typeof signal.addEventListener;
  signal.removeEventListener = ((type: "abort", listener: () => void) => {
    listening.delete(listener);
    remove(type, listener);
  }) as typeof signal.removeEventListener;
  return { signal, listeners: () => listening.size };
}
