/** Whatever clients do at the same time, the history of a session stays well formed. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";

const session = "/v1/sessions/a";

const acts: Record<string, (client: TestClient, number: number) => Promise<unknown>> = {
  reply: (client) => client.send("a", "hello"),
  tool: (client) => client.send("a", "tool"),
  burst: (client) => client.send("a", "burst 200"),
  slow: (client) => client.send("a", "slow 5 2"),
  ask: (client) => client.send("a", "permission1"),
  end: (client) => client.send("a", "end"),
  steer: (client) => client.send("a", "this way", { delivery: "steer" }),
  reject: (client) => client.send("a", "only now", { delivery: "reject" }),
  abort: (client) => client.post(`${session}/abort`),
  rename: (client, number) => client.patch(session, { title: `${number}` }),
  grant: (client, number) => client.post(`${session}/permissions/mock_${number}_permission/reply`, { reply: "once" }),
  takeBack: async (client) => {
    const { json } = await client.get(session);
    if (json.queue[0]) await client.delete(`${session}/messages/${json.queue[0].messageId}`);
  },
};

/** Every act several times, all of them under way together. */
async function storm(client: TestClient): Promise<void> {
  await client.create("a");
  const all = Array.from({ length: 5 }, (_, round) =>
    Object.values(acts).map((act, index) => act(client, round * 3 + (index % 3))),
  );
  await Promise.all(all.flat());
}

describe("after many acts at the same time", () => {
  test("an abort leaves a well-formed history", async () => {
    const client = await startTestClient();
    await storm(client);
    await client.post(`${session}/abort`);
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("a termination leaves a well-formed history", async () => {
    const client = await startTestClient();
    await storm(client);
    await client.post(`${session}/terminate`);
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("the session is as usable as before", async () => {
    const client = await startTestClient();
    await storm(client);
    await client.post(`${session}/abort`);
    const events = await client.stream("a", "hello");
    expect(events.at(-1)?.type).toBe("turn.ended");
  });
});
