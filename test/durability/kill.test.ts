/** The daemon is killed with SIGKILL at any moment: nothing that a client has seen is lost. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { isRunning } from "../harness/processes.ts";

const rounds = 20;

test(`killed ${rounds} times in the middle of a burst, it has everything that was delivered`, async () => {
  const dataDir = temporaryDirectory();
  const delivered = new Map<number, UniversalEvent>();

  for (let round = 1; round <= rounds; round++) {
    const daemon = await spawnDaemon(dataDir);
    const client = new TestClient(daemon.url);
    if (round === 1) await client.create("victim");
    const enough = delivered.size + round * 150;
    const frames = client.frames(`/v1/sessions/victim/events/sse?offset=${delivered.size}`);
    // More than it can emit before it is killed.
    await client.send("victim", "burst 2000000");
    await collectUntil(frames, delivered, enough);
    daemon.kill("SIGKILL");
    await daemon.exited;
  }

  const client = new TestClient((await spawnDaemon(dataDir)).url);
  const events = await client.events("victim");
  expect(checkEvents(events, { finished: true })).toEqual([]);
  for (const [sequence, event] of delivered) expect(events[sequence - 1]).toEqual(event);
  const interrupted = events.filter((event) => event.type === "turn.ended");
  expect(interrupted.map((event) => event.data.metadata?.reason)).toEqual(Array(rounds).fill("interrupted"));
}, 120_000);

async function collectUntil(
  frames: AsyncGenerator<{ event: UniversalEvent }>,
  delivered: Map<number, UniversalEvent>,
  enough: number,
): Promise<void> {
  for await (const { event } of frames) {
    expect(event.sequence).toBe(delivered.size + 1);
    delivered.set(event.sequence, event);
    if (delivered.size >= enough) return;
  }
}

test("killed repeatedly while sessions emit single events, it has each event once, in the order of delivery", async () => {
  const dataDir = temporaryDirectory();
  const sessions = ["a", "b", "c"];
  const told: string[] = [];
  let seen = "0";

  for (let round = 1; round <= 8; round++) {
    const daemon = await spawnDaemon(dataDir);
    const client = new TestClient(daemon.url);
    const frames = client.frames(`/v1/events/sse?offset=${seen}`);
    if (round === 1) for (const session of sessions) await client.create(session);
    for (const session of sessions) await client.send(session, "slow 100000 2");
    const enough = told.length + round * 100;
    for await (const { id, event } of frames) {
      seen = id ?? "";
      told.push(`${event.session_id} ${event.sequence}`);
      if (told.length >= enough) break;
    }
    daemon.kill("SIGKILL");
    await daemon.exited;
  }

  const client = new TestClient((await spawnDaemon(dataDir)).url);
  for (const session of sessions) {
    const events = await client.events(session);
    expect(checkEvents(events, { finished: true })).toEqual([]);
    const own = told.filter((name) => name.startsWith(`${session} `));
    expect(own).toEqual(events.slice(0, own.length).map(({ sequence }) => `${session} ${sequence}`));
  }
  const replayed: string[] = [];
  for await (const { event } of client.frames("/v1/events/sse?offset=0")) {
    replayed.push(`${event.session_id} ${event.sequence}`);
    if (replayed.length === told.length) break;
  }
  expect(replayed).toEqual(told);
});

test("an interrupted item has the content that was streamed before the kill", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.send("a", "slow 1000 5");
  let text = "";
  for await (const { event } of client.frames("/v1/sessions/a/events/sse")) {
    if (event.type === "item.delta") text += event.data.delta;
    if (text.length > 50) break;
  }
  daemon.kill("SIGKILL");
  await daemon.exited;

  const after = new TestClient((await spawnDaemon(dataDir)).url);
  const { json } = await after.get("/v1/sessions/a/transcript");
  const reply = json.items.at(-1);
  expect(reply.status).toBe("failed");
  expect(reply.content[0].text.startsWith(text)).toBe(true);
});

test("interrupted turns are ended in the log before the next run accepts requests", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.send("a", "hang");
  daemon.kill("SIGKILL");
  await daemon.exited;

  await spawnDaemon(dataDir);
  using database = new Database(join(dataDir, "events.db"), { readonly: true });
  expect(database.query("SELECT open FROM sessions").all()).toEqual([{ open: 0 }]);
});

test("an idle session is stored with its last turn soon, however the daemon ends", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  using database = new Database(join(dataDir, "events.db"), { readonly: true });
  const stored = () => database.query("SELECT open, json_extract(state, '$.turnCount') AS turns FROM sessions").all();
  await client.create("a");
  for (const word of ["one", "two"]) await client.stream("a", `echo ${word}`);
  await expect.poll(stored, { timeout: 10_000 }).toEqual([{ open: 0, turns: 2 }]);

  for (const word of ["three", "four"]) await client.stream("a", `echo ${word}`);
  const before = (await client.get("/v1/sessions/a")).json;
  daemon.kill("SIGKILL");
  await daemon.exited;
  const after = new TestClient((await spawnDaemon(dataDir)).url);

  expect((await after.get("/v1/sessions")).json.sessions).toEqual([before]);
  expect(stored()).toEqual([{ open: 0, turns: 4 }]);
  expect(checkEvents(await after.events("a"), { finished: true })).toEqual([]);
});

test("processes that were left behind are ended before the next run accepts requests", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const { json } = await new TestClient(daemon.url).post("/v1/processes", { command: "sleep", args: ["1000"] });
  daemon.kill("SIGKILL");
  await daemon.exited;
  expect(isRunning(json.pid)).toBe(true);

  await spawnDaemon(dataDir);
  // The kernel may take a moment to clear a killed process away.
  await expect.poll(() => isRunning(json.pid)).toBe(false);
});

test("an open permission is denied, because its agent has ended", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  daemon.kill("SIGKILL");
  await daemon.exited;

  const after = new TestClient((await spawnDaemon(dataDir)).url);
  expect((await after.get("/v1/sessions/a/requests")).json).toEqual({ permissions: [], questions: [] });
  const events = await after.events("a");
  expect(events.slice(-2).map((event) => event.type)).toEqual(["permission.resolved", "turn.ended"]);
  expect(checkEvents(events, { finished: true })).toEqual([]);
});

test("queued messages run after the restart", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  await client.create("a");
  await client.send("a", "hang");
  await client.send("a", "echo first");
  await client.send("a", "echo second");
  daemon.kill("SIGKILL");
  await daemon.exited;

  const after = new TestClient((await spawnDaemon(dataDir)).url);
  await after.wait("a");
  const { json } = await after.get("/v1/sessions/a/transcript");
  const replies = json.items.filter((item: { role: string }) => item.role === "assistant");
  expect(replies.map((item: { content: { text: string }[] }) => item.content[0]?.text)).toEqual(["first", "second"]);
  expect(checkEvents(await after.events("a"), { finished: true })).toEqual([]);
});

test("settings, totals, remembered permissions and message keys survive", async () => {
  const dataDir = temporaryDirectory();
  const daemon = await spawnDaemon(dataDir);
  const client = new TestClient(daemon.url);
  await client.create("a", { title: "before" });
  await client.call("PATCH", "/v1/sessions/a", { body: { title: "after" } });
  await client.stream("a", "usage");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  await client.post("/v1/sessions/a/permissions/mock_2_permission/reply", { reply: "always" });
  await client.wait("a");
  await client.post("/v1/sessions/a/messages", { message: "once" }, { headers: { "idempotency-key": "k" } });
  await client.wait("a");
  const { json: before } = await client.get("/v1/sessions/a");
  daemon.kill("SIGKILL");
  await daemon.exited;

  const after = new TestClient((await spawnDaemon(dataDir)).url);
  expect((await after.get("/v1/sessions/a")).json).toEqual(before);
  await after.post("/v1/sessions/a/messages", { message: "once" }, { headers: { "idempotency-key": "k" } });
  expect((await after.get("/v1/sessions/a")).json.eventCount).toBe(before.eventCount);
  await after.send("a", "permission1");
  const { json } = await after.wait("a");
  expect(json.session.status).toBe("idle");
});
