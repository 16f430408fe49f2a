/** SIGTERM: the daemon shuts down gracefully, whatever its agents are doing. */
import { checkEvents } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";

const busy = { writing: "slow 100000 10", bursting: "burst 5000000", silent: "hang", asking: "permission" };

test("it ends, closes streams, and every turn has its end in the log", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  for (const [id, message] of Object.entries(busy)) {
    await client.create(id);
    await client.send(id, message);
  }
  await client.wait("asking", "request");
  const frames = client.frames("/v1/sessions/silent/events/sse");
  await frames.next();
  const stream = drain(frames);

  daemon.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
  const seen = await stream;
  expect(seen.at(-1)).toBe("turn.ended");

  const after = new TestClient((await spawnDaemon(dataDir)).url);
  for (const id of Object.keys(busy)) {
    const events = await after.events(id);
    expect(checkEvents(events, { finished: true })).toEqual([]);
    expect(events.filter((event) => event.type === "turn.ended")).toMatchObject([
      { data: { metadata: { reason: "interrupted" } } },
    ]);
  }
});

async function drain(frames: AsyncGenerator<{ event: { type: string } }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { event } of frames) types.push(event.type);
  return types;
}

test("a session continues after the restart with the next sequence", async () => {
  const dataDir = temporaryDirectory();
  const first = await spawnDaemon(dataDir);
  await new TestClient(first.url).create("a");
  await new TestClient(first.url).stream("a", "hello");
  first.kill("SIGTERM");
  await first.exited;

  const client = new TestClient((await spawnDaemon(dataDir)).url);
  const events = await client.stream("a", "hello again");
  expect(events[0]).toMatchObject({ sequence: 9, data: { turn_id: "turn_2" } });
  expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
});

test("two daemons do not share a data directory", async () => {
  const dataDir = temporaryDirectory();
  await spawnDaemon(dataDir);
  await expect(spawnDaemon(dataDir)).rejects.toThrow("exited before it was listening");
});
