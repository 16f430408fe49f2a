/** The stall watchdog: a turn in which nothing happens for too long is ended. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";

const turnStallMs = 500;

async function stalled(): Promise<TestClient> {
  const client = await startTestClient({ turnStallMs });
  await client.create("a");
  await client.send("a", "hang");
  await client.wait("a");
  return client;
}

describe("a turn without any event", () => {
  test("ends with the error agent_stalled", async () => {
    const client = await stalled();
    expect(outline(await client.events("a", "?offset=4"))).toEqual(["error agent_stalled", "turn.ended stalled"]);
  });

  test("gets a message with the cause and the next step", async () => {
    const client = await stalled();
    const [error] = await client.events("a", "?offset=4&limit=1");
    expect(error?.data).toEqual({
      code: "agent_stalled",
      message: "the agent sent nothing for 500 ms, so the turn was ended; change the limit with --turn-stall-ms",
    });
  });

  test("leaves the session usable", async () => {
    const client = await stalled();
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });

  test("lets the queue go on", async () => {
    const client = await startTestClient({ turnStallMs });
    await client.create("a");
    await client.send("a", "hang");
    await client.send("a", "next");
    await client.wait("a");
    const ends = outline(await client.events("a")).filter((line) => line.startsWith("turn.ended"));
    expect(ends).toEqual(["turn.ended stalled", "turn.ended completed"]);
  });

  test("leaves a well-formed history", async () => {
    const client = await stalled();
    await client.stream("a", "hello");
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });
});

describe("the watchdog leaves alone", () => {
  /** Lasts as long as two turns take to be ended by the watchdog. */
  async function longerThanAStall(client: TestClient): Promise<void> {
    await client.create("other");
    await client.send("other", "hang");
    await client.send("other", "hang");
    await client.wait("other");
  }

  test.each(["permission1", "question1"])("a turn that waits for the client: %s", async (command) => {
    const client = await startTestClient({ turnStallMs });
    await client.create("a");
    await client.send("a", command);
    await client.wait("a", "request");
    await longerThanAStall(client);
    const { json } = await client.get("/v1/sessions/a");
    expect(json.status).toBe("waiting");
  });

  test("a session between its turns", async () => {
    const client = await startTestClient({ turnStallMs });
    await client.create("a");
    const events = await client.stream("a", "hello");
    await longerThanAStall(client);
    expect(await client.events("a", "?offset=1")).toEqual(events);
  });

  test("a turn that is slow but not silent", async () => {
    const client = await startTestClient({ turnStallMs: 3000 });
    await client.create("a");
    await client.send("a", "slow 35 100");
    await client.wait("a");
    expect(outline(await client.events("a")).at(-1)).toBe("turn.ended completed");
  });

  test("everything when it is turned off", async () => {
    const client = await startTestClient({ turnStallMs: 0 });
    await client.create("a");
    await client.send("a", "hang");
    const { json } = await client.get("/v1/sessions/a/wait?timeout_ms=700");
    expect(json.reached).toBeNull();
  });
});
