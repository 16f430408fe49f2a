/** Retention limits. */
import { Database } from "bun:sqlite";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(5);
}

test("--retain-events keeps the newest events of a session; sequences and totals stay", async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestDaemon({ dataDir });
  const before = new TestClient(first.url);
  await before.create("a");
  for (const message of ["usage", "one", "two", "three"]) await before.stream("a", message);
  const { json: info } = await before.get("/v1/sessions/a");
  await first.stop();

  const client = new TestClient((await spawnDaemon(dataDir, ["--retain-events", "10"])).url);
  await until(async () => (await client.events("a")).length === 10);
  const { json: after } = await client.get("/v1/sessions/a");
  expect(after).toMatchObject({ eventCount: 10, lastSequence: info.lastSequence, usage: info.usage });
  expect((await client.events("a"))[0]?.sequence).toBe(info.lastSequence - 9);
  const whole = await client.get("/v1/sessions/a/events?limit=10");
  expect(whole.json).toMatchObject({ events: { length: 10 }, hasMore: false });
  const part = await client.get("/v1/sessions/a/events?limit=9");
  expect(part.json).toMatchObject({ events: { length: 9 }, hasMore: true });
  const next = await client.stream("a", "four");
  expect(next[0]?.sequence).toBe(info.lastSequence + 1);
  const { json: transcript } = await client.get("/v1/sessions/a/transcript");
  expect(transcript.usage).toEqual(info.usage);
});

test("--retain-days deletes sessions that were idle longer, and no others", async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestDaemon({ dataDir });
  const before = new TestClient(first.url);
  await before.create("old");
  await before.create("new");
  await first.stop();
  const database = new Database(join(dataDir, "events.db"));
  database.query("UPDATE sessions SET updated_at = ? WHERE id = 'old'").run(Date.now() - 8 * 86_400_000);
  database.close();

  const client = new TestClient((await spawnDaemon(dataDir, ["--retain-days", "7"])).url);
  await until(async () => (await client.get("/v1/sessions")).json.sessions.length === 1);
  expect((await client.get("/v1/sessions/old")).status).toBe(404);
  expect((await client.get("/v1/sessions/new")).status).toBe(200);
});

test("a deleted session leaves nothing in the database", async () => {
  const dataDir = temporaryDirectory();
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  await client.create("a");
  await client.send("a", "burst 20000");
  await client.wait("a");
  expect((await client.call("DELETE", "/v1/sessions/a")).status).toBe(204);
  const database = new Database(join(dataDir, "events.db"), { readonly: true });
  const { count } = database.query<{ count: number }, []>("SELECT count(*) AS count FROM events").get() ?? {};
  database.close();
  expect(count).toBe(0);
});

test("an ephemeral daemon writes no file", async () => {
  const directory = temporaryDirectory();
  const client = new TestClient((await startTestDaemon({ dataDir: directory, ephemeral: true })).url);
  await client.create("a");
  await client.stream("a", "hello");
  expect(readdirSync(directory)).toEqual([]);
});
