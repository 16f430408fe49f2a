/** Many processes that write much, readers that stop reading, and a daemon that dies: nothing hangs, nothing stays. */
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { isRunning, residentBytes } from "../harness/processes.ts";
import { readRaw } from "../harness/raw-reader.ts";
import { outputOf, start, startScript, written } from "./lab.ts";

const megabyte = 1024 * 1024;

test("64 processes write at once while one reader stalls: all output arrives", { timeout: 120_000 }, async () => {
  const client = await startTestClient();
  const size = 400_000;
  const script = `yes 0123456789abcdef | head -c ${size}`;
  const ids = await Promise.all(Array.from({ length: 64 }, () => startScript(client, script)));
  const [first = "", ...others] = ids;
  const stalled = readRaw(client.url, `/v1/processes/${first}/logs?follow=true`);
  stalled.pause();
  const outputs = await Promise.all(others.map((id) => outputOf(client, id)));
  expect(new Set(outputs.map(({ length }) => length))).toEqual(new Set([size]));
  const { json } = await client.get(`/v1/processes/${first}/logs?tail=1`);
  stalled.resume();
  await stalled.reached(json.entries[0].sequence);
  stalled.close();
});

test("a reader that stalls holds back neither the process nor the memory", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  const id = await startScript(client, `echo ready; cat; head -c ${500 * megabyte} /dev/zero`, { interactive: true });
  await written(client, id, "ready");
  const stalled = readRaw(client.url, `/v1/processes/${id}/logs?follow=true`);
  await stalled.reached(1);
  stalled.pause();
  const before = residentBytes(daemon.pid);
  await client.post(`/v1/processes/${id}/input`, { data: "", close: true });
  const ended = { status: "exited", exitCode: 0 };
  await expect.poll(async () => (await client.get(`/v1/processes/${id}`)).json).toMatchObject(ended);
  // Half of what was written: far above what the runtime takes and has not given back yet.
  expect(residentBytes(daemon.pid) - before).toBeLessThan(250 * megabyte);
  stalled.close();
});

test("what a killed daemon leaves behind is ended by the next one", async () => {
  const dataDir = temporaryDirectory();
  const killed = await spawnDaemon(dataDir);
  const client = new TestClient(killed.url);
  const plain = await start(client, { command: "sleep", args: ["1000"] });
  const tty = await startScript(client, 'trap "" HUP; sleep 1000', { tty: true });
  const pids = await Promise.all(
    [plain, tty].map(async (id) => (await client.get(`/v1/processes/${id}`)).json.pid as number),
  );
  killed.kill("SIGKILL");
  await killed.exited;
  expect(pids.filter(isRunning)).toContain(pids[0]);
  const next = new TestClient((await spawnDaemon(dataDir)).url);
  expect((await next.get("/v1/processes")).json).toEqual({ processes: [] });
  while (pids.some(isRunning)) await Bun.sleep(20);
});

test("a daemon that stops takes its processes with it", async () => {
  const daemon = await spawnDaemon(temporaryDirectory());
  const client = new TestClient(daemon.url);
  const id = await startScript(client, 'trap "" TERM HUP; echo up; sleep 1000', { tty: true });
  await written(client, id, "up");
  const { pid } = (await client.get(`/v1/processes/${id}`)).json;
  daemon.kill("SIGTERM");
  expect(await daemon.exited).toBe(0);
  while (isRunning(pid)) await Bun.sleep(20);
});
