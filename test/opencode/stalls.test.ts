/** A stream of OpenCode events does not delay other requests, however long the sessions of its reader are. */
import { expect, test } from "vitest";
import * as z from "zod";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { readFrames } from "../harness/sse.ts";
import { watchStalls } from "../harness/stalls.ts";

const words = 200_000;
const shorter = 50_000;

interface Payload {
  type: string;
  properties: Record<string, unknown>;
}

/** The events of a new stream, up to the first for which the condition holds. */
async function eventsUntil({ url }: DaemonProcess, isLast: (event: Payload) => boolean): Promise<Payload[]> {
  const stop = new AbortController();
  const response = await fetch(`${url}/global/event`, { signal: stop.signal });
  const events: Payload[] = [];
  for await (const { data } of readFrames(response)) {
    const { payload } = JSON.parse(data);
    events.push(payload);
    if (isLast(payload)) break;
  }
  stop.abort();
  return events;
}

const isStatus = ({ type }: Payload) => type === "session.status";

async function longSession(words: number): Promise<{ daemon: DaemonProcess; client: TestClient }> {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  await client.create("long");
  await client.send("long", `burst ${words}`);
  await client.wait("long");
  return { daemon, client };
}

test("connecting to a session of 200,000 events after its last exchange", async () => {
  const { daemon, client } = await longSession(words);
  await client.send("long", "hello");
  await client.wait("long");
  const watch = await watchStalls(daemon);
  const events = await eventsUntil(daemon, isStatus);
  const { longestCpuMs } = await watch.stop();
  expect(longestCpuMs).toBeLessThan(50);
  expect(events.map(({ type }) => type)).toEqual([
    "server.connected",
    "message.updated",
    "message.part.updated",
    "message.updated",
    "message.part.updated",
    "session.status",
  ]);
  expect(JSON.stringify(events)).not.toContain("199999");
}, 60_000);

test("connecting to it when that exchange is the long one", async () => {
  const { daemon } = await longSession(words);
  const watch = await watchStalls(daemon);
  const events = await eventsUntil(daemon, isStatus);
  const { longestCpuMs } = await watch.stop();
  expect(longestCpuMs).toBeLessThan(50);
  expect(JSON.stringify(events)).toContain(`${words - 1} ${words} `);
}, 60_000);

test("connecting to it after a change of settings shows those that the exchange started with", async () => {
  const { daemon, client } = await longSession(shorter);
  await client.patch("/v1/sessions/long", { agentMode: "plan" });
  const watch = await watchStalls(daemon);
  const events = await eventsUntil(daemon, isStatus);
  const { longestCpuMs } = await watch.stop();
  expect(longestCpuMs).toBeLessThan(50);
  expect(events.find(({ type }) => type === "message.updated")?.properties).toMatchObject({ info: { agent: "build" } });
}, 60_000);

test("connecting during a burst: nothing is missing or sent twice", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  await client.create("long");
  const watch = await watchStalls(daemon);
  await client.send("long", `burst ${shorter}`);
  const events = await eventsUntil(daemon, ({ type }) => type === "session.idle");
  const { longestCpuMs } = await watch.stop();
  expect(longestCpuMs).toBeLessThan(50);
  const first = events.findIndex(({ type }) => type === "message.part.delta");
  const joined = events.slice(0, first).findLast(({ type }) => type === "message.part.updated");
  const deltas = events.flatMap(({ type, properties }) => (type === "message.part.delta" ? [properties.delta] : []));
  const text = PartUpdated.parse(joined?.properties).part.text + deltas.join("");
  expect(text.trim().split(" ")).toEqual(Array.from({ length: shorter }, (_, index) => String(index + 1)));
}, 120_000);

const PartUpdated = z.object({ part: z.object({ text: z.string() }) });
