/** Many readers, slow readers, readers that come and go: each sees every event once. */
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { type RawReader, readRaw } from "../harness/raw-reader.ts";

const eventsAround = 7;

function reader(url: string, path: string): RawReader {
  const opened = readRaw(url, path);
  onTestFinished(() => opened.close());
  return opened;
}

test("500 readers of one session, one of them stalled, all get everything", async () => {
  const { url } = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(url);
  await client.create("a");
  const readers = Array.from({ length: 500 }, () => reader(url, "/v1/sessions/a/events/sse"));
  await Promise.all(readers.map((each) => each.reached(1)));
  const [stalled, ...others] = readers;
  stalled?.pause();

  const count = 20_000;
  await client.send("a", `burst ${count}`);
  await Promise.all(others.map((each) => each.reached(count + eventsAround)));
  expect(stalled?.events).toBeLessThan(count);
  stalled?.resume();
  await stalled?.reached(count + eventsAround);
  expect(readers.map((each) => each.events)).toEqual(Array(500).fill(count + eventsAround));
}, 120_000);

test("a stalled reader does not make the daemon's memory grow", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  await client.create("a");
  const stalled = reader(daemon.url, "/v1/sessions/a/events/sse");
  await stalled.reached(1);
  stalled.pause();
  const before = residentMegabytes(daemon.pid);

  // About 180 MB of frames, most of which the stalled reader has not taken.
  const turns = 6;
  const perTurn = 100_000;
  for (let turn = 0; turn < turns; turn++) {
    await client.send("a", `burst ${perTurn}`);
    await client.wait("a");
  }
  // The runtime gives back what the bursts themselves took some seconds after them; frames in a queue would stay.
  const grown = () => residentMegabytes(daemon.pid) - before;
  await expect.poll(grown, { timeout: 60_000, interval: 500 }).toBeLessThan(100);
  stalled.resume();
  await stalled.reached(1 + turns * (perTurn + eventsAround - 1));
}, 120_000);

function residentMegabytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1]) / 1024;
}

test("two clients that reconnect again and again during a burst see each sequence once", async () => {
  const { url } = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(url);
  await client.create("a");
  const total = 30_000 + eventsAround;
  const clients = [follow(client, total, 997), follow(client, total, 1409)];
  await client.send("a", "burst 30000");
  for (const seen of await Promise.all(clients)) {
    expect(seen.sequences).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(seen.connections).toBeGreaterThan(15);
  }
}, 60_000);

/** Reads a number of frames, drops the connection, and goes on with Last-Event-ID. */
async function follow(client: TestClient, total: number, framesPerConnection: number) {
  const sequences: number[] = [];
  let connections = 0;
  while (sequences.length < total) {
    connections += 1;
    const headers = { "last-event-id": String(sequences.at(-1) ?? 0) };
    let read = 0;
    for await (const frame of client.frames("/v1/sessions/a/events/sse", { headers })) {
      sequences.push(Number(frame.id));
      read += 1;
      if (read === framesPerConnection || sequences.length === total) break;
    }
  }
  return { sequences, connections };
}

test("a reader of all sessions that reconnects in the middle of commits sees each event once", async () => {
  const { url } = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(url);
  const ids = ["a", "b", "c"];
  for (const id of ids) await client.create(id);
  const perSession = 5000 + eventsAround;
  const seen = new Map<string, number[]>(ids.map((id) => [id, []]));
  const sends = Promise.all(ids.map((id) => client.send(id, "burst 5000")));

  let cursor = "0";
  let left = perSession * ids.length;
  while (left > 0) {
    let read = 0;
    for await (const frame of client.frames("/v1/events/sse", { headers: { "last-event-id": cursor } })) {
      cursor = frame.id;
      seen.get(frame.event.session_id)?.push(frame.event.sequence);
      read += 1;
      left -= 1;
      if (read === 777 || left === 0) break;
    }
  }
  await sends;
  for (const sequences of seen.values()) {
    expect(sequences).toEqual(Array.from({ length: perSession }, (_, index) => index + 1));
  }
}, 60_000);

test("streams carry a keep-alive comment while nothing happens", async () => {
  const { EventStreams } = await import("../../packages/daemon/src/http/sse.ts");
  const streams = new EventStreams(5);
  onTestFinished(() => streams.closeAll());
  const server = Bun.serve({
    port: 0,
    fetch: ({ signal }) =>
      streams.open({ signal, connection: { release: () => {} } }, { page: () => null, subscribe: () => () => {} }, 0),
  });
  onTestFinished(() => server.stop(true));
  const response = await fetch(server.url);
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes(": keep-alive\n\n")) break;
  }
  expect(text).toContain(": keep-alive\n\n");
});
