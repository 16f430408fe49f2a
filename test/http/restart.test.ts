/** Sessions after a restart of the daemon, whether it was stopped or killed. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { checkEvents } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { puppet, words } from "../harness/puppet.ts";

test("a turn that a stop cuts off is interrupted, which its readers see, and the queue continues after the restart", async () => {
  const dataDir = temporaryDirectory();
  const { url, stop } = await startTestDaemon({ dataDir });
  const before = new TestClient(url);
  await before.create("a");
  await before.send("a", "hang");
  await before.send("a", "later");
  const reader = await before.open("/v1/sessions/a/events/sse?offset=1");
  await stop();
  expect(outline((await reader.rest()).map(({ event }) => event)).at(-1)).toBe("turn.ended interrupted");

  const client = await startTestClient({ dataDir });
  await client.wait("a");
  const events = await client.events("a");
  expect(outline(events).filter((line) => line.startsWith("turn."))).toEqual([
    "turn.started",
    "turn.ended interrupted",
    "turn.started",
    "turn.ended completed",
  ]);
  expect(checkEvents(events, { finished: true })).toEqual([]);
});

test("no queued message is started while the daemon stops", async () => {
  const dataDir = temporaryDirectory();
  const slow = agentsWithMock((mock) => ({
    open: async (spec, sink) => ({ ...(await mock.open(spec, sink)), close: () => Bun.sleep(50) }),
  }));
  const { url, stop } = await startTestDaemon({ dataDir }, slow);
  const before = new TestClient(url);
  await before.create("a");
  await before.send("a", "hang");
  await before.send("a", "later");
  await stop();
  const client = await startTestClient({ dataDir });
  await client.wait("a");
  const ends = (await client.events("a")).filter(({ type }) => type === "turn.ended");
  expect(outline(ends)).toEqual(["turn.ended interrupted", "turn.ended completed"]);
});

test("a session that had no message before the restart queues its messages as ever", async () => {
  const dataDir = temporaryDirectory();
  const { url, stop } = await startTestDaemon({ dataDir });
  await new TestClient(url).create("a");
  await stop();
  const client = await startTestClient({ dataDir });
  await Promise.all(["one", "two"].map((text) => client.send("a", text)));
  await client.wait("a");
  const turns = (await client.events("a")).filter(({ type }) => type.startsWith("turn."));
  expect(outline(turns)).toEqual(["turn.started", "turn.ended completed", "turn.started", "turn.ended completed"]);
});

test("an item that was open when the daemon was killed is completed with all of its text, and ids go on after it", async () => {
  const [dataDir, copy] = [temporaryDirectory(), temporaryDirectory()];
  const { agents, emit } = puppet();
  const before = await startTestClient({ dataDir }, agents);
  await before.create("a");
  await before.send("a", "hello");
  await emit("a", words("w", "one "), { type: "error", error: { message: "a notice" } });
  // The error has the state stored in the middle of the item: it is older than the events that follow.
  const database = new Database(join(dataDir, "events.db"));
  const stored = database.query("SELECT json_extract(state, '$.openItems.itm_2.hasDelta') AS hasDelta FROM sessions");
  await expect.poll(() => stored.get(), { timeout: 20_000 }).toEqual({ hasDelta: 1 });
  await emit("a", words("w", "two "));
  await emit("a", words("w", "three"));
  await before.events("a");
  // The database as a killed daemon would leave it.
  database.run("VACUUM INTO ?", [join(copy, "events.db")]);
  database.close();

  const client = await startTestClient({ dataDir: copy }, agents);
  const { items, turns } = (await client.get("/v1/sessions/a/transcript")).json;
  expect(items.at(-1)).toMatchObject({
    item_id: "itm_2",
    status: "failed",
    content: [{ type: "text", text: "one two three" }],
  });
  expect(turns).toMatchObject([{ reason: "interrupted" }]);
  await client.send("a", "again");
  const again = (await client.get("/v1/sessions/a/transcript")).json;
  expect(again.items.map(({ item_id }: { item_id: string }) => item_id)).toEqual(["itm_1", "itm_2", "itm_3"]);
  expect(checkEvents(await client.events("a"))).toEqual([]);
});
