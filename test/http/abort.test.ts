/** Aborting ends what runs, waits or is queued, and keeps the session. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { puppet, words } from "../harness/puppet.ts";

const abort = (client: TestClient) => client.post("/v1/sessions/a/abort");

/** A session with a turn in the middle of a message, and the sequence it has reached. */
async function running(): Promise<{ client: TestClient; reached: number }> {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", "slow 1000 60000");
  const reader = await client.open("/v1/sessions/a/events/sse?offset=4");
  const [frame] = await reader.take(1);
  return { client, reached: Number(frame?.id) };
}

/** A session that waits for a permission, with another message behind it. */
async function waiting(): Promise<{ client: TestClient; reached: number }> {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", "permission1");
  await client.wait("a", "request");
  await client.send("a", "later");
  const { json } = await client.get("/v1/sessions/a");
  return { client, reached: json.lastSequence };
}

describe("aborting a running turn", () => {
  test("is answered without content", async () => {
    const { client } = await running();
    const answer = await abort(client);
    expect(answer.status).toBe(204);
  });

  test("closes the open item and ends the turn as aborted, before it is answered", async () => {
    const { client, reached } = await running();
    await abort(client);
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "item.completed message assistant failed mock_1_slow",
      "turn.ended aborted",
    ]);
  });

  test("leaves the session idle", async () => {
    const { client } = await running();
    await abort(client);
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toMatchObject({ status: "idle", ended: false });
  });

  test("leaves the session usable", async () => {
    const { client } = await running();
    await abort(client);
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });

  test("twice at the same time ends it once", async () => {
    const { client, reached } = await running();
    await Promise.all([abort(client), abort(client)]);
    const ends = (await client.events("a", `?offset=${reached}`)).filter(({ type }) => type === "turn.ended");
    expect(ends).toHaveLength(1);
  });

  test("works on an agent that does not answer", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "hang");
    await abort(client);
    expect(outline(await client.events("a", "?offset=4"))).toEqual(["turn.ended aborted"]);
  });

  test("keeps the text so far in the closed item", async () => {
    const client = await startTestClient();
    await client.create("a");
    const reader = await client.open("/v1/sessions/a/events/sse?offset=1");
    await client.send("a", "slow 1000 1");
    await reader.until((event) => event.type === "item.delta");
    await abort(client);
    const frames = await reader.until(({ type }) => type === "turn.ended");
    const deltas = frames.flatMap(({ event }) => (event.type === "item.delta" ? [event.data.delta] : []));
    const completed = frames.flatMap(({ event }) => (event.type === "item.completed" ? [event.data.item] : []));
    expect(completed[0]?.content).toEqual([{ type: "text", text: ["word 1 ", ...deltas].join("") }]);
  });
});

describe("aborting a turn whose agent is still starting", () => {
  test("keeps the message from the agent", async () => {
    const sent: string[] = [];
    const started = Promise.withResolvers<void>();
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        if (sent.length > 0) await started.promise;
        const session = await mock.open(spec, sink);
        return {
          ...session,
          send(turn) {
            sent.push(turn.text);
            return session.send(turn);
          },
        };
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.stream("a", "end");
    await client.send("a", "hang");

    const aborted = abort(client);
    await client.get("/v1/sessions/a");
    started.resolve();
    await aborted;
    expect(sent).toEqual(["end"]);
  });
});

describe("aborting a turn that waits for a permission", () => {
  test("takes queued messages back, denies the permission and ends the turn", async () => {
    const { client, reached } = await waiting();
    await abort(client);
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "message.cancelled",
      "permission.resolved mock_1_permission denied",
      "turn.ended aborted",
    ]);
  });

  test("leaves nothing pending and nothing queued", async () => {
    const { client } = await waiting();
    await abort(client);
    const [requests, session] = [await client.get("/v1/sessions/a/requests"), await client.get("/v1/sessions/a")];
    expect({ ...requests.json, queue: session.json.queue }).toEqual({ permissions: [], questions: [], queue: [] });
  });

  test("leaves a well-formed history", async () => {
    const { client } = await waiting();
    await abort(client);
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });
});

describe("aborting with nothing to abort", () => {
  test("is answered without content", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await abort(client);
    expect(answer.status).toBe(204);
  });

  test("adds no event", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "hello");
    const before = await client.events("a");
    await abort(client);
    expect(await client.events("a")).toEqual(before);
  });

  test("after an abort adds no event", async () => {
    const { client } = await running();
    await abort(client);
    const before = await client.events("a");
    await abort(client);
    expect(await client.events("a")).toEqual(before);
  });
});

test("a turn whose agent stops without a reason, because it was asked to, has been aborted", async () => {
  const { agents, emit } = puppet();
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "go on");
  await emit("a", words("w", "working"));
  await client.post("/v1/sessions/a/abort");
  const end = (await client.events("a")).findLast(({ type }) => type === "turn.ended");
  expect(end?.data).toMatchObject({ metadata: { reason: "aborted" } });
});
