import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";

test("health needs no token", async () => {
  const { url } = await startTestDaemon({ token: "secret" });
  const answer = await new TestClient(url).get("/v1/health");
  expect(answer.json).toEqual({ status: "ok" });
});

test("a plain reply has the reference sequence of events", async () => {
  const client = new TestClient((await startTestDaemon()).url);
  await client.create("a");
  const events = await client.stream("a", "hello");
  expect(events.map((event) => event.type)).toEqual([
    "turn.started",
    "item.started",
    "item.completed",
    "item.started",
    "item.delta",
    "item.completed",
    "turn.ended",
  ]);
});
