/** The events of all sessions on one stream: live, or from a frame on, each event exactly once. */
import type { Draft } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import type { EventFrame } from "../harness/event-reader.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const path = "/v1/events/sse";

const keys = (frames: EventFrame[]) => frames.map(({ event }) => `${event.session_id} ${event.sequence}`);

/** All events of sessions a and b, a's first. */
async function everyEvent(client: TestClient): Promise<string[]> {
  const events = [...(await client.events("a")), ...(await client.events("b"))];
  return events.map((event) => `${event.session_id} ${event.sequence}`);
}

/** Two sessions, each of which has had one turn at the same time as the other. */
async function twoSessions(message = "burst 300"): Promise<{ client: TestClient; count: number }> {
  const client = await startTestClient();
  await client.create("a");
  await client.create("b");
  await Promise.all([client.stream("a", message), client.stream("b", message)]);
  return { client, count: (await everyEvent(client)).length };
}

describe("the stream of all sessions", () => {
  test("is an event stream that proxies must not buffer", async () => {
    const client = await startTestClient();
    const { response } = await client.open(path);
    const names = ["content-type", "cache-control", "x-accel-buffering"];
    expect(names.map((name) => response.headers.get(name))).toEqual(["text/event-stream", "no-cache", "no"]);
  });

  test("is live from now on: nothing of the past", async () => {
    const { client } = await twoSessions();
    const reader = await client.open(path);
    await client.create("c");
    const [first] = await reader.take(1);
    expect(first?.event).toMatchObject({ session_id: "c", type: "session.started" });
  });

  test("carries the events of sessions that did not exist when it was opened", async () => {
    const client = await startTestClient();
    const reader = await client.open(path);
    await client.create("a");
    await client.send("a", "hello");
    const frames = await reader.until(({ type }) => type === "turn.ended");
    expect(keys(frames)).toEqual(await everyEventOf(client, "a"));
  });

  test("interleaves sessions that run at the same time, each event once and in its session's order", async () => {
    const client = await startTestClient();
    const reader = await client.open(path);
    await client.create("a");
    await client.create("b");
    await Promise.all([client.send("a", "burst 300"), client.send("b", "burst 300")]);
    const frames = await reader.take(2 * 307);
    expect(keys(frames).toSorted(bySession)).toEqual(await everyEvent(client));
  });

  test("gives everything kept with offset 0, each event once and in its session's order", async () => {
    const { client, count } = await twoSessions();
    const frames = await (await client.open(`${path}?offset=0`)).take(count);
    expect(keys(frames).toSorted(bySession)).toEqual(await everyEvent(client));
  });

  test("replays in the order in which it was live", async () => {
    const client = await startTestClient();
    const live = await client.open(path);
    await client.create("a");
    await client.create("b");
    await Promise.all([client.send("a", "tool"), client.send("b", "markdown")]);
    await Promise.all([client.wait("a"), client.wait("b")]);
    const count = (await everyEvent(client)).length;
    const [seen, replayed] = [await live.take(count), await (await client.open(`${path}?offset=0`)).take(count)];
    expect(replayed).toEqual(seen);
  });

  test("goes live after the replay, without a gap", async () => {
    const { client, count } = await twoSessions();
    const reader = await client.open(`${path}?offset=0`);
    await reader.take(count);
    await client.create("c");
    const [next] = await reader.take(1);
    expect(next?.event).toMatchObject({ session_id: "c", sequence: 1 });
  });

  test("gives each frame an id of its own", async () => {
    const { client, count } = await twoSessions();
    const frames = await (await client.open(`${path}?offset=0`)).take(count);
    expect(new Set(frames.map(({ id }) => id)).size).toBe(count);
  });

  test("carries the agents' own messages with include_raw", async () => {
    const client = await startTestClient();
    const reader = await client.open(`${path}?include_raw=true`);
    await client.create("a");
    await client.send("a", "unparsed");
    const frames = await reader.until(({ type }) => type === "agent.unparsed");
    expect(frames.at(-1)?.event.raw).toEqual({ mock: "unparsed" });
  });
});

describe("resuming", () => {
  test.each([1, 2, 5, 300, 400, 613])("behind frame %i gives exactly what followed it", async (seen) => {
    const { client, count } = await twoSessions();
    const all = await (await client.open(`${path}?offset=0`)).take(count);
    const headers = { "last-event-id": all[seen - 1]?.id ?? "" };
    const rest = await (await client.open(path, { headers })).take(count - seen);
    expect(rest).toEqual(all.slice(seen));
  });

  test("works with the id of a frame as offset", async () => {
    const { client, count } = await twoSessions();
    const all = await (await client.open(`${path}?offset=0`)).take(count);
    const rest = await (await client.open(`${path}?offset=${all[99]?.id}`)).take(count - 100);
    expect(rest).toEqual(all.slice(100));
  });

  test("as browsers do, with the old offset in the URL, resumes after Last-Event-ID", async () => {
    const { client, count } = await twoSessions();
    const all = await (await client.open(`${path}?offset=0`)).take(count);
    const headers = { "last-event-id": all[99]?.id ?? "" };
    const [next] = await (await client.open(`${path}?offset=0`, { headers })).take(1);
    expect(next).toEqual(all[100]);
  });

  test("resumes after the offset when it is the larger", async () => {
    const { client, count } = await twoSessions();
    const all = await (await client.open(`${path}?offset=0`)).take(count);
    const headers = { "last-event-id": all[9]?.id ?? "" };
    const [next] = await (await client.open(`${path}?offset=${all[99]?.id}`, { headers })).take(1);
    expect(next).toEqual(all[100]);
  });

  test("again and again during a burst gives each event exactly once", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.create("b");
    await Promise.all([client.send("a", "burst 1500"), client.send("b", "burst 1500")]);
    const frames: EventFrame[] = [];
    while (frames.length < 2 * 1507) {
      const reader = await client.open(`${path}?offset=${frames.at(-1)?.id ?? 0}`);
      frames.push(...(await reader.take(Math.min(250, 2 * 1507 - frames.length))));
      await reader.close();
    }
    expect(keys(frames).toSorted(bySession)).toEqual(await everyEvent(client));
  });

  test("loses nothing when the agent's own messages are large", async () => {
    const raw = "x".repeat(100 * 1024);
    const statuses = Array.from({ length: 10 }, (_, index): Draft => {
      const content = [{ type: "status" as const, label: `${index}` }];
      return { type: "item.started", item: { native_item_id: `s${index}`, kind: "status", role: null, content }, raw };
    });
    const agents = agentsWithMock((mock) => ({
      open: async (spec, sink) => ({
        ...(await mock.open(spec, sink)),
        send: async () => sink.emit([...statuses, { type: "turn.ended" }]),
      }),
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "go");
    await client.wait("a");
    await client.create("b");
    const reader = await client.open(`${path}?offset=0`);
    const frames = await reader.until(({ session_id }) => session_id === "b");
    expect(keys(frames)).toEqual(await everyEvent(client));
  });
});

describe("a place that is none", () => {
  test.each(["abc", "-1", "1.2.3", "1.", "."])("is rejected as offset: %s", async (offset) => {
    const client = await startTestClient();
    expectProblem(await client.get(`${path}?offset=${offset}`), "invalid_request", {
      details: faults("query", "offset"),
    });
  });

  test("is rejected as Last-Event-ID", async () => {
    const client = await startTestClient();
    expectProblem(await client.get(path, { headers: { "last-event-id": "abc" } }), "invalid_request", {
      detail: 'invalid request: Last-Event-ID "abc" is not the id of a frame of this stream',
    });
  });
});

async function everyEventOf(client: TestClient, sessionId: string): Promise<string[]> {
  return (await client.events(sessionId)).map((event) => `${sessionId} ${event.sequence}`);
}

/** Sorts a's events before b's, and leaves the order within a session as it came. */
function bySession(one: string, other: string): number {
  return one.charCodeAt(0) - other.charCodeAt(0);
}
