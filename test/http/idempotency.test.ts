/** Idempotency-Key: a message repeated with its key is sent once, for any number of requests and clients. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";

const headers = { "idempotency-key": "key-1" };

function post(client: TestClient, message: string, extra: Record<string, unknown> = {}) {
  return client.post("/v1/sessions/a/messages", { message, ...extra }, { headers });
}

function stream(client: TestClient, message: string, extra: Record<string, unknown> = {}) {
  return client.open("/v1/sessions/a/messages/stream", { method: "POST", body: { message, ...extra }, headers });
}

async function session(): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("a");
  return client;
}

async function turnCount(client: TestClient): Promise<number> {
  await client.wait("a");
  return (await client.events("a")).filter(({ type }) => type === "turn.started").length;
}

describe("a repeated message", () => {
  test("is answered like the first, with the same id", async () => {
    const client = await session();
    const first = await post(client, "hello");
    const second = await post(client, "hello");
    expect([second.status, second.headers.get("x-message-id")]).toEqual([204, first.headers.get("x-message-id")]);
  });

  test("is sent once", async () => {
    const client = await session();
    await post(client, "hello");
    await client.wait("a");
    await post(client, "hello");
    expect(await turnCount(client)).toBe(1);
  });

  test("is sent once when it arrives many times at the same time", async () => {
    const client = await session();
    await Promise.all(Array.from({ length: 10 }, () => post(client, "hello")));
    expect(await turnCount(client)).toBe(1);
  });

  test("is queued once", async () => {
    const client = await session();
    await client.send("a", "hang");
    await Promise.all(Array.from({ length: 10 }, () => post(client, "hello")));
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue).toHaveLength(1);
  });

  test("is the same message whatever the order of its fields", async () => {
    const client = await session();
    const send = (body: string) => client.post("/v1/sessions/a/messages", body, { headers });
    const first = await send('{"attachments":[],"message":"hello"}');
    const second = await send('{"message":"hello","attachments":[]}');
    expect(second.headers.get("x-message-id")).toBe(first.headers.get("x-message-id"));
  });

  test("is answered even after the session was terminated", async () => {
    const client = await session();
    await post(client, "hello");
    await client.post("/v1/sessions/a/terminate");
    const answer = await post(client, "hello");
    expect(answer.status).toBe(204);
  });

  test("after a rejection is sent: a rejected message does not use up its key", async () => {
    const client = await session();
    await client.send("a", "hang");
    await post(client, "hello", { delivery: "reject" });
    await client.post("/v1/sessions/a/abort");
    const answer = await post(client, "hello", { delivery: "reject" });
    expect(answer.status).toBe(204);
  });
});

describe("a repeated message that is streamed", () => {
  test("shows the same turn again, event for event", async () => {
    const client = await session();
    const first = await (await stream(client, "tool")).rest();
    const second = await (await stream(client, "tool")).rest();
    expect(second).toEqual(first);
  });

  test("shows the turn of a message that was sent without a stream", async () => {
    const client = await session();
    await post(client, "hello");
    const frames = await (await stream(client, "hello")).rest();
    expect(frames.map(({ event }) => event)).toEqual(await client.events("a", "?offset=1"));
  });

  test("joins the turn while it runs", async () => {
    const client = await session();
    const first = await stream(client, "slow 5 20");
    await first.until(({ type }) => type === "item.delta");
    const second = await (await stream(client, "slow 5 20")).rest();
    expect(outline(second.map(({ event }) => event)).at(-1)).toBe("turn.ended completed");
  });

  test("shows its own turn, not a later one", async () => {
    const client = await session();
    const first = await (await stream(client, "hello")).rest();
    await client.stream("a", "something else");
    const again = await (await stream(client, "hello")).rest();
    expect(again).toEqual(first);
  });
});

describe("another message under a used key", () => {
  test.each(["messages", "messages/stream"])("is a conflict: %s", async (path) => {
    const client = await session();
    await post(client, "hello");
    const answer = await client.post(`/v1/sessions/a/${path}`, { message: "other" }, { headers });
    expectProblem(answer, "conflict", {
      sessionId: "a",
      detail: "conflict: this Idempotency-Key was already used for a different message; use a new key",
    });
  });

  test("is not sent", async () => {
    const client = await session();
    await post(client, "hello");
    await post(client, "other");
    expect(await turnCount(client)).toBe(1);
  });

  test("is a conflict of one session only", async () => {
    const client = await session();
    await client.create("b");
    await post(client, "hello");
    const answer = await client.post("/v1/sessions/b/messages", { message: "other" }, { headers });
    expect(answer.status).toBe(204);
  });
});

describe("a key", () => {
  test("may have 255 characters", async () => {
    const client = await session();
    const answer = await client.post(
      "/v1/sessions/a/messages",
      { message: "hello" },
      { headers: { "idempotency-key": "k".repeat(255) } },
    );
    expect(answer.status).toBe(204);
  });

  test.each([
    ["empty", ""],
    ["longer than 255 characters", "k".repeat(256)],
  ])("must not be %s", async (_, key) => {
    const client = await session();
    const answer = await client.post(
      "/v1/sessions/a/messages",
      { message: "hello" },
      { headers: { "idempotency-key": key } },
    );
    expectProblem(answer, "invalid_request", {
      detail: "invalid request: Idempotency-Key must have 1 to 255 characters",
    });
  });
});

describe("a repeated steering message", () => {
  const steer = { delivery: "steer" };

  async function waiting(): Promise<TestClient> {
    const client = await session();
    await client.send("a", "permission1");
    await client.wait("a", "request");
    return client;
  }

  test("is handed over once", async () => {
    const client = await waiting();
    await post(client, "left", steer);
    const before = await client.events("a");
    await post(client, "left", steer);
    expect(await client.events("a")).toEqual(before);
  });

  test("is answered like the first when both arrive while the agent starts", async () => {
    const started = Promise.withResolvers<void>();
    let starts = 0;
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        if (++starts === 2) await started.promise;
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.stream("a", "end");
    await client.send("a", "hang");

    const answers = Promise.all([post(client, "left", steer), post(client, "left", steer)]);
    await client.get("/v1/sessions/a");
    started.resolve();
    expect((await answers).map(({ status }) => status)).toEqual([204, 204]);
  });

  test("shows the rest of the turn again", async () => {
    const client = await waiting();
    await post(client, "left", steer);
    await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
    await client.wait("a");
    const frames = await (await stream(client, "left", steer)).rest();
    expect(outline(frames.map(({ event }) => event)).at(-1)).toBe("turn.ended completed");
  });
});
