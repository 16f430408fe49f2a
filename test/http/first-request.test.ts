/** A daemon that was asked nothing but its health yet: the rest of it is loaded with the first request. */
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

test("many first requests at once are all answered, by one and the same daemon", async () => {
  const client = await startTestClient();
  const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const answers = await Promise.all(ids.map((id) => client.create(id)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const { json } = await client.get("/v1/sessions");
  expect(json.sessions.map(({ sessionId }: { sessionId: string }) => sessionId).toSorted()).toEqual(ids);
});

test("the first request may be a stream", async () => {
  const client = await startTestClient();
  const stream = await client.fetch("GET", "/v1/events/sse");
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  await stream.body?.cancel();
});

test("it stops without ever having been asked anything, and another takes its directory", async () => {
  const dataDir = temporaryDirectory();
  const { stop } = await startTestDaemon({ dataDir });
  await stop();
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  expect((await client.create("a")).status).toBe(200);
});

test("it stops in order while the first request is on its way", async () => {
  const dataDir = temporaryDirectory();
  const { url, stop } = await startTestDaemon({ dataDir });
  const asked = new TestClient(url).create("a").catch(() => null);
  await stop();
  const wasTold = (await asked)?.status === 200;
  const client = new TestClient((await startTestDaemon({ dataDir })).url);
  const { status } = await client.get("/v1/sessions/a");
  expect(wasTold ? [200] : [200, 404]).toContain(status);
});
