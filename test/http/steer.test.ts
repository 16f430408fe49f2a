/** Steering hands a message to the running turn, where the agent can. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";

const steer = { delivery: "steer" };

async function waitingForPermission(agents?: Parameters<typeof startTestClient>[1]) {
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "permission1");
  const { json } = await client.wait("a", "request");
  const reached: number = json.session.lastSequence;
  const finish = async () => {
    await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
    await client.wait("a");
  };
  return { client, reached, finish };
}

describe("a steering message", () => {
  test("is answered without content and with its id", async () => {
    const { client } = await waitingForPermission();
    const { status, headers } = await client.send("a", "left", steer);
    expect([status, headers.get("x-message-id")]).toEqual([204, expect.stringMatching(/^msg_/)]);
  });

  test("is part of the running turn, and so is the agent's answer to it", async () => {
    const { client, reached, finish } = await waitingForPermission();
    await client.send("a", "left", steer);
    await finish();
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "item.started message user in_progress -",
      "item.completed message user completed -",
      "item.started message assistant in_progress mock_1_steer_1",
      "item.delta mock_1_steer_1",
      "item.completed message assistant completed mock_1_steer_1",
      "permission.resolved mock_1_permission approved",
      "item.started message assistant in_progress mock_1_answered",
      "item.delta mock_1_answered",
      "item.completed message assistant completed mock_1_answered",
      "turn.ended completed",
    ]);
  });

  test("keeps the history well formed", async () => {
    const { client, finish } = await waitingForPermission();
    await client.send("a", "left", steer);
    await client.send("a", "right", steer);
    await finish();
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("is not queued", async () => {
    const { client } = await waitingForPermission();
    await client.send("a", "left", steer);
    const { json } = await client.get("/v1/sessions/a");
    expect(json.queue).toEqual([]);
  });

  test("can be streamed: from its own item to the end of the turn", async () => {
    const { client, finish } = await waitingForPermission();
    const body = { message: "left", ...steer };
    const reader = await client.open("/v1/sessions/a/messages/stream", { method: "POST", body });
    const [first] = await reader.take(1);
    await finish();
    const frames = await reader.rest();
    expect([first?.event, frames.at(-1)?.event]).toMatchObject([
      { type: "item.started", data: { item: { content: [{ type: "text", text: "left" }] } } },
      { type: "turn.ended" },
    ]);
  });

  test("starts a turn when none runs", async () => {
    const client = await startTestClient();
    await client.create("a");
    const events = await client.stream("a", "hello", steer);
    expect(outline(events).at(0)).toBe("turn.started");
  });
});

describe("an agent that cannot be steered", () => {
  const stubborn = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const { steer: _, ...session } = await mock.open(spec, sink);
      return session;
    },
  }));

  test("is a conflict", async () => {
    const { client } = await waitingForPermission(stubborn);
    expectProblem(await client.send("a", "left", steer), "conflict", {
      sessionId: "a",
      detail: 'conflict: mock does not accept messages during a turn; use delivery "queue", or abort the turn first',
    });
  });

  test("gets nothing", async () => {
    const { client } = await waitingForPermission(stubborn);
    const before = await client.events("a");
    await client.send("a", "left", steer);
    expect(await client.events("a")).toEqual(before);
  });
});

test("an agent that fails to accept it: the message is in the log, with an error", async () => {
  const gone = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const session = await mock.open(spec, sink);
      return { ...session, steer: () => Promise.reject(new Error("the agent is gone")) };
    },
  }));
  const { client, reached, finish } = await waitingForPermission(gone);
  const { status } = await client.send("a", "left", steer);
  expect(status).toBe(204);
  await finish();
  expect(outline(await client.events("a", `?offset=${reached}`)).slice(0, 3)).toEqual([
    "item.started message user in_progress -",
    "item.completed message user completed -",
    "error steer_failed",
  ]);
  expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
});

test("a message that was to steer a turn which is over before the agent had it starts a turn of its own", async () => {
  const configuring = Promise.withResolvers<void>();
  const configured = Promise.withResolvers<void>();
  const steered: string[] = [];
  const slow = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const session = await mock.open(spec, sink);
      return {
        ...session,
        async configure(settings) {
          configuring.resolve();
          await configured.promise;
          await session.configure(settings);
        },
        async steer({ text }) {
          steered.push(text);
        },
      };
    },
  }));
  const client = await startTestClient({}, slow);
  await client.create("a");
  await client.patch("/v1/sessions/a", { agentMode: "plan" });
  await client.send("a", "echo first");
  await configuring.promise;
  const steering = client.send("a", "echo second", steer);
  // The daemon has the steering message before it aborts the turn.
  for (let request = 0; request < 3; request++) await client.get("/v1/sessions/a");
  await client.post("/v1/sessions/a/abort");
  configured.resolve();
  expect((await steering).status).toBe(204);
  await client.wait("a");
  const events = await client.events("a");
  expect(outline(events).filter((line) => line.startsWith("turn."))).toEqual([
    "turn.started",
    "turn.ended aborted",
    "turn.started",
    "turn.ended completed",
  ]);
  expect(steered).toEqual([]);
  expect(checkEvents(events, { finished: true })).toEqual([]);
});

test("a session that is terminated during the steer has no events after its end", async () => {
  const told = Promise.withResolvers<void>();
  const slow = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const session = await mock.open(spec, sink);
      return { ...session, steer: () => told.promise };
    },
  }));
  const { client } = await waitingForPermission(slow);
  const steering = client.send("a", "left", steer);
  const reader = await client.open("/v1/sessions/a/events/sse");
  await reader.until((event) => event.type === "item.completed" && JSON.stringify(event.data).includes("left"));
  await reader.close();
  await client.post("/v1/sessions/a/terminate");
  told.reject(new Error("the agent is gone"));
  expect((await steering).status).toBe(204);
  expect(outline(await client.events("a")).at(-1)).toBe("session.ended terminated daemon");
});
