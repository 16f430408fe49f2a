/** The feed of the events panel: history and live events, each once and in order. */
import { SandboxAgent } from "sandbox-agent";
import { expect, test } from "vitest";
import { followEvents } from "../../packages/inspector/src/panels/events/event-feed.ts";
import { startTestClient } from "../harness/daemon.ts";

test("a feed that is opened during a burst has every event once", async () => {
  const daemon = await startTestClient();
  await daemon.create("one");
  await daemon.send("one", "burst 3000");
  await using client = SandboxAgent.at({ baseUrl: daemon.url });
  const session = client.session("one");
  const feed = followEvents(client, session);
  await daemon.send("one", "burst 3000");
  await daemon.send("one", "last words");
  await daemon.wait("one");
  const { lastSequence } = await session.info();

  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const check = () => feed.events().length >= lastSequence && resolve();
  feed.subscribe(check);
  check();
  await complete;
  feed.close();
  expect(feed.failure()).toBeNull();
  expect(feed.events().map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: lastSequence }, (_, at) => at + 1),
  );
});

test("a deleted session is reported as a failure", async () => {
  const daemon = await startTestClient();
  await using client = SandboxAgent.at({ baseUrl: daemon.url });
  const feed = followEvents(client, client.session("missing"));
  await new Promise<void>((resolve) => feed.subscribe(resolve));
  feed.close();
  expect(feed.failure()).toMatchObject({ kind: "session_not_found" });
});
