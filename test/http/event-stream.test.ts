/** A session's event stream: framing, replay, and going live without a gap or a repetition. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const path = "/v1/sessions/a/events/sse";

/** A session with eight events. */
async function eightEvents(): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("a");
  await client.stream("a", "hello");
  return client;
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`);

describe("the framing", () => {
  test("is an event stream that proxies must not buffer", async () => {
    const client = await eightEvents();
    const { response } = await client.open(path);
    const names = ["content-type", "cache-control", "x-accel-buffering"];
    expect(names.map((name) => response.headers.get(name))).toEqual(["text/event-stream", "no-cache", "no"]);
  });

  test("is an id line, one data line and a blank line per event, and nothing else but comments", async () => {
    const client = await eightEvents();
    const response = await client.fetch("GET", path);
    const events = await client.events("a");
    const expected = events.map((event) => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    expect(await textUntil(response, '"turn.ended"')).toBe(expected);
  });

  test("gives each event its sequence as id", async () => {
    const client = await eightEvents();
    const frames = await (await client.open(path)).take(8);
    expect(frames.map(({ id }) => id)).toEqual(from(1, 8));
  });

  test("carries the same events as the pages", async () => {
    const client = await eightEvents();
    const frames = await (await client.open(path)).take(8);
    expect(frames.map(({ event }) => event)).toEqual(await client.events("a"));
  });

  test("keeps an event with line breaks on one line", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "one\ntwo\r\nthree");
    const frames = await (await client.open(`${path}?offset=6`)).take(1);
    expect(frames[0]?.event.data).toMatchObject({ item: { content: [{ type: "text", text: "one\ntwo\r\nthree" }] } });
  });
});

/** The stream as it comes over the wire, without comments, up to the frame with that text in it. */
async function textUntil(response: Response, mark: string): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(mark) && text.endsWith("\n\n")) break;
  }
  return text.replaceAll(/^:.*\n\n/gm, "");
}

describe("the beginning", () => {
  test.each([
    ["everything by default", "", undefined, "1"],
    ["everything with offset 0", "?offset=0", undefined, "1"],
    ["behind the offset", "?offset=5", undefined, "6"],
    ["behind Last-Event-ID", "", "5", "6"],
    ["behind Last-Event-ID when it is the larger", "?offset=2", "6", "7"],
    ["behind the offset when it is the larger", "?offset=6", "2", "7"],
  ])("is %s", async (_, query, lastEventId, first) => {
    const client = await eightEvents();
    const headers: Record<string, string> = lastEventId ? { "last-event-id": lastEventId } : {};
    const [frame] = await (await client.open(path + query, { headers })).take(1);
    expect(frame?.id).toBe(first);
  });

  test.each(["abc", "-1", "1.5", "4.2"])("cannot be behind Last-Event-ID %s", async (lastEventId) => {
    const client = await eightEvents();
    const answer = await client.get(path, { headers: { "last-event-id": lastEventId } });
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: Last-Event-ID "${lastEventId}" is not a sequence`,
    });
  });

  test.each(["offset=abc", "offset=-1", "offset="])("cannot be behind %s", async (query) => {
    const client = await eightEvents();
    expectProblem(await client.get(`${path}?${query}`), "invalid_request", { details: faults("query", "offset") });
  });
});

describe("a reader", () => {
  test("gets the past, then what happens, each event once", async () => {
    const client = await eightEvents();
    const reader = await client.open(path);
    const past = await reader.take(8);
    await client.send("a", "again");
    const live = await reader.until(({ type }) => type === "turn.ended");
    expect([...past, ...live].map(({ id }) => id)).toEqual(from(1, 15));
  });

  test("who comes in the middle of a burst misses and repeats nothing", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "burst 3000");
    const frames = await (await client.open(path)).until(({ type }) => type === "turn.ended");
    expect(frames.map(({ id }) => id)).toEqual(from(1, 3007));
  });

  test("that reconnects with the last id resumes where it stopped", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "burst 3000");
    const ids: string[] = [];
    while (ids.length < 3007) {
      const headers: Record<string, string> = { "last-event-id": ids.at(-1) ?? "0" };
      const reader = await client.open(path, { headers });
      ids.push(...(await reader.take(Math.min(500, 3007 - ids.length))).map(({ id }) => id));
      await reader.close();
    }
    expect(ids).toEqual(from(1, 3007));
  });

  test("gets the same frames as another", async () => {
    const client = await startTestClient();
    await client.create("a");
    const readers = await Promise.all([client.open(path), client.open(path)]);
    await client.send("a", "burst 200");
    const [one, other] = await Promise.all(readers.map((reader) => reader.until(({ type }) => type === "turn.ended")));
    expect(one).toEqual(other);
  });

  test("sees nothing of other sessions", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.create("b");
    const reader = await client.open(path);
    await client.stream("b", "burst 100");
    await client.send("a", "hello");
    const frames = await reader.until(({ type }) => type === "turn.ended");
    expect(frames.map(({ id }) => id)).toEqual(from(1, 8));
  });

  test("stays connected after the agent has ended the session", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open(path);
    await client.send("a", "end");
    await reader.until(({ type }) => type === "session.ended");
    await client.send("a", "and on");
    const [next] = await reader.take(1);
    expect(next?.event.type).toBe("turn.started");
  });

  test.each(["include_raw=true", "includeRaw=true"])("gets the agent's own messages with %s", async (query) => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "unparsed");
    const reader = await client.open(`${path}?${query}`);
    const frames = await reader.until(({ type }) => type === "agent.unparsed");
    expect(frames.at(-1)?.event.raw).toEqual({ mock: "unparsed" });
  });

  test("gets no raw messages unless it asks", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "unparsed");
    const frames = await (await client.open(path)).until(({ type }) => type === "turn.ended");
    expect(frames.filter(({ event }) => "raw" in event)).toEqual([]);
  });
});
