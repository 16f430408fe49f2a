/** A full disk or a locked database is reported to clients; nothing is lost or half done. */
import { Database } from "bun:sqlite";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkEvents } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { createLogger } from "../../packages/daemon/src/logging/logger.ts";
import { KnownSecrets } from "../../packages/daemon/src/secrets/known-secrets.ts";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { fillUp, mountDisk } from "../harness/disk.ts";

test("a full disk: requests fail with a problem, running turns wait, and everything continues when there is space", async (context) => {
  const dataDir = temporaryDirectory();
  mountDisk(context, dataDir, "size=20m");
  const daemon = await spawnDaemon(dataDir, [], { SANDBOX_AGENT_LOG: "silent" });
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.create("b");
  await client.send("a", "slow 400 5");
  const ballast = join(dataDir, "ballast");
  fillUp(ballast);

  const refused = await client.send("b", "hello");
  expect(refused).toMatchObject({ status: 503, json: { type: "urn:sandbox-agent:error:storage_unavailable" } });
  expect(refused.json.detail).toContain("full");
  expect((await client.create("c")).status).toBe(503);
  expect((await client.get("/v1/health")).status).toBe(200);
  // Events that are not stored yet are not shown to clients.
  const unstored = async () => {
    const { lastSequence } = (await client.get("/v1/sessions/a")).json;
    return lastSequence - (await client.events("a")).length;
  };
  await expect.poll(unstored, { timeout: 10_000 }).toBeGreaterThan(10);

  rmSync(ballast);
  await client.wait("a");
  expect((await client.create("c")).status).toBe(200);
  const events = await client.events("a");
  expect(events).toHaveLength(400 + 7);
  expect(checkEvents(events, { finished: true })).toEqual([]);
  expect((await client.send("b", "hello")).status).toBe(204);
  await client.wait("b");
  expect(checkEvents(await client.events("b"), { finished: true })).toEqual([]);
});

test("a truncated log line on a full disk does not corrupt the next one", (context) => {
  const directory = temporaryDirectory();
  mountDisk(context, directory, "size=64k");
  const log = createLogger({ environment: {}, directory, secrets: new KnownSecrets() });
  log.info("before");
  const ballast = join(directory, "ballast");
  fillUp(ballast);
  for (let line = 0; line < 200; line++) log.info("full");
  rmSync(ballast);
  log.info("after");
  const lines = readFileSync(join(directory, "sandbox-agent.log"), "utf8").trim().split("\n");
  expect(() => JSON.parse(lines.at(-2) ?? "")).toThrow();
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ message: "after" });
});

test("a locked database: requests fail with the problem and work again once it is free", async () => {
  const dataDir = temporaryDirectory();
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  await client.create("a");
  const intruder = new Database(join(dataDir, "events.db"));
  intruder.run("BEGIN IMMEDIATE");

  const refused = await client.send("a", "hello");
  expect(refused).toMatchObject({ status: 503, json: { type: "urn:sandbox-agent:error:storage_unavailable" } });
  expect(refused.json.detail).toContain("locked");
  expect((await client.create("b")).status).toBe(503);
  expect(await client.events("a")).toHaveLength(1);
  intruder.run("ROLLBACK");
  intruder.close();

  const events = await client.stream("a", "hello");
  expect(events[0]?.sequence).toBe(2);
  expect((await client.create("b")).status).toBe(200);
  expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
});

test("a turn whose events cannot be stored for a while loses none of them", async () => {
  const dataDir = temporaryDirectory();
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  await client.create("a");
  await client.send("a", "slow 40 5");
  const intruder = new Database(join(dataDir, "events.db"));
  intruder.run("BEGIN IMMEDIATE");
  expect((await client.send("a", "queued while locked")).status).toBe(503);
  intruder.run("ROLLBACK");
  intruder.close();

  await client.wait("a");
  const events = await client.events("a");
  expect(events.filter((event) => event.type === "item.delta")).toHaveLength(40);
  expect(checkEvents(events, { finished: true })).toEqual([]);
});

test("a locked database can still be read, and a session is not half terminated", async () => {
  const dataDir = temporaryDirectory();
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  await client.create("a");
  await client.send("a", "slow 1000 5");
  const live = await client.open("/v1/sessions/a/events/sse");
  await live.until((event) => event.type === "item.delta");
  await live.close();
  const intruder = new Database(join(dataDir, "events.db"));
  intruder.run("BEGIN IMMEDIATE");

  const events = await client.events("a");
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect((await client.get("/v1/sessions/a")).json.status).toBe("running");
  expect((await client.get("/v1/sessions")).json.sessions).toHaveLength(1);
  const stream = await client.open(`/v1/sessions/a/events/sse?offset=${events.length}`);
  expect((await client.post("/v1/sessions/a/terminate")).status).toBe(503);
  intruder.run("ROLLBACK");
  intruder.close();

  const [next] = await stream.take(1);
  expect(next?.event).toMatchObject({ sequence: events.length + 1, type: "item.delta" });
  await stream.close();
  expect((await client.get("/v1/sessions/a")).json).toMatchObject({ status: "running", ended: false });
  expect((await client.post("/v1/sessions/a/terminate")).status).toBe(204);
  expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
});

test("a session that is deleted while writes fail is gone, and its events are deleted later", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await startTestDaemon({ dataDir });
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.send("a", "burst 60000");
  await client.wait("a");
  const intruder = new Database(join(dataDir, "events.db"));
  const count = (table: string) => intruder.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

  const deleted = client.delete("/v1/sessions/a");
  await expect.poll(() => count("sessions"), { interval: 1 }).toBe(0);
  lock(intruder);
  expect((await deleted).status).toBe(204);
  expect((await client.get("/v1/sessions/a")).status).toBe(404);
  intruder.run("ROLLBACK");
  await daemon.stop();
  expect(count("events")).toBe(0);
  intruder.close();
});

/** Waits for the daemon's own write, which is a matter of milliseconds. */
function lock(database: Database): void {
  database.run("PRAGMA busy_timeout = 10000");
  database.run("BEGIN IMMEDIATE");
}

test("a daemon starts on a full disk, serves what is stored, and ends interrupted turns once there is space", async (context) => {
  const dataDir = temporaryDirectory();
  mountDisk(context, dataDir, "size=20m");
  const first = await spawnDaemon(dataDir);
  await new TestClient(first.url).create("a");
  await new TestClient(first.url).send("a", "hang");
  await new TestClient(first.url).send("a", "echo queued");
  const ballast = join(dataDir, "ballast");
  fillUp(ballast);
  first.kill("SIGKILL");
  await first.exited;

  const client = new TestClient((await spawnDaemon(dataDir, [], { SANDBOX_AGENT_LOG: "silent" })).url);
  expect(await client.events("a")).toHaveLength(5);
  rmSync(ballast);
  await client.wait("a");
  const events = await client.events("a");
  expect(checkEvents(events, { finished: true })).toEqual([]);
  expect(events.filter(({ type }) => type === "turn.ended")).toHaveLength(2);
});
