/** Readers that are behind: they get all events, but no notices. */
import { expect, onTestFinished, test } from "vitest";
import { EventStreams } from "../../packages/daemon/src/http/sse.ts";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { residentBytes } from "../harness/processes.ts";
import { readRaw } from "../harness/raw-reader.ts";
import { outputOf, start } from "../processes/lab.ts";

test("notices for a stalled reader of all sessions take no memory", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  const stalled = readRaw(daemon.url, "/v1/events/sse?offset=0");
  onTestFinished(() => stalled.close());
  await client.create("a");
  await expect.poll(() => stalled.events).toBeGreaterThan(0);
  stalled.pause();
  const before = residentBytes(daemon.pid);

  // Each leads to three notices with its arguments: about 180 MB.
  const args = ["x".repeat(100_000)];
  for (let number = 0; number < 600; number++) {
    const id = await start(client, { command: "true", args });
    await outputOf(client, id);
    const status = async () => (await client.get(`/v1/processes/${id}`)).json.status;
    while ((await status()) === "running");
    await client.delete(`/v1/processes/${id}`);
  }
  const grownMegabytes = () => (residentBytes(daemon.pid) - before) / 1024 ** 2;
  await expect.poll(grownMegabytes, { timeout: 30_000, interval: 500 }).toBeLessThan(120);
}, 120_000);

test("a stop sends a reader that is behind everything up to the end of the log", async () => {
  const pages = 400;
  const page = `data: ${"x".repeat(64 * 1024)}\n\n`;
  const streams = new EventStreams();
  const server = Bun.serve({
    port: 0,
    fetch: ({ signal }) =>
      streams.open(
        { signal, connection: { release: () => {} } },
        {
          page: (after: number) => (after < pages ? { data: `id: ${after + 1}\n${page}`, next: after + 1 } : null),
          subscribe: () => () => {},
        },
        0,
      ),
  });
  onTestFinished(() => server.stop(true));
  const reader = readRaw(server.url.href, "/");
  onTestFinished(() => reader.close());
  await reader.reached(1);
  reader.pause();
  const closed = streams.closeAll(30_000);
  expect(reader.events).toBeLessThan(pages);
  reader.resume();
  await reader.reached(pages);
  await closed;
  expect(streams.size).toBe(0);
}, 60_000);
