/** Sending a message: it is accepted immediately, and its turn runs in the background. */
import type { DraftItem } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { puppet, toolCall } from "../harness/puppet.ts";

describe("a message", () => {
  test("is answered without content", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.send("a", "hello");
    expect([answer.status, answer.text]).toEqual([204, ""]);
  });

  test("is answered while its turn still runs", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "hang");
    const { json } = await client.get("/v1/sessions/a");
    expect(json.status).toBe("running");
  });

  test("has the reference sequence of events", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "hello");
    await client.wait("a");
    expect(outline(await client.events("a"))).toEqual([
      "session.started",
      "turn.started",
      "item.started message user in_progress mock_1_user",
      "item.completed message user completed mock_1_user",
      "item.started message assistant in_progress mock_1_reply",
      "item.delta mock_1_reply",
      "item.completed message assistant completed mock_1_reply",
      "turn.ended completed",
    ]);
  });

  test("gets its id, which is also in its turn", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { headers } = await client.send("a", "hello");
    const [turn] = await client.events("a", "?offset=1&limit=1");
    expect(turn?.data).toEqual({
      phase: "started",
      turn_id: "turn_1",
      metadata: { message_id: headers.get("x-message-id") },
    });
  });

  test("keeps text of every kind as it is", async () => {
    const client = await startTestClient();
    await client.create("a");
    const strange = "  <b>\u0000\n\t\"quoted\" 'single' \\ 👩‍💻 \ud800 end  ";
    await client.send("a", strange);
    await client.wait("a");
    const [, , said] = await client.events("a", "?offset=1");
    expect(said).toMatchObject({ data: { item: { content: [{ type: "text", text: strange }] } } });
  });

  test("may be longer than two mebibytes", async () => {
    const client = await startTestClient();
    await client.create("a");
    const long = "x".repeat(3 * 1024 * 1024);
    await client.send("a", long);
    const { json } = await client.wait("a");
    expect(json.session.lastSequence).toBe(8);
  });

  test("ignores fields it does not know", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.send("a", "hello", { colour: "blue" });
    expect(answer.status).toBe(204);
  });
});

describe("attachments", () => {
  const attachments = [
    { path: "notes.txt", mime: "text/plain", filename: "Notes" },
    { path: "shot.png", mime: "image/png" },
    { path: "plain" },
  ];

  test("are parts of the user's item", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.stream("a", "look", { attachments });
    const [, , user] = await client.events("a", "?offset=1");
    expect(user).toMatchObject({
      data: {
        item: {
          content: [
            { type: "text", text: "look" },
            { type: "file_ref", path: "notes.txt", action: "read" },
            { type: "image", path: "shot.png", mime: "image/png" },
            { type: "file_ref", path: "plain", action: "read" },
          ],
        },
      },
    });
  });

  test("reach an agent of text alone as a list of paths", async () => {
    const client = await startTestClient();
    await client.create("a");
    const events = await client.stream("a", "look", { attachments });
    const delta = events.find(({ type }) => type === "item.delta");
    expect(delta).toMatchObject({
      data: { delta: "look\n\nAttachments:\n- notes.txt (Notes)\n- shot.png\n- plain" },
    });
  });
});

describe("a rejected message", () => {
  test.each([
    ["a missing text", {}, ["message"]],
    ["a text that is none", { message: 1 }, ["message"]],
    ["an empty text", { message: "" }, ["message"]],
    ["a blank text", { message: " \n\t" }, ["message"]],
    ["an attachment without a path", { message: "hi", attachments: [{ mime: "text/plain" }] }, ["attachments.0.path"]],
    ["an attachment with an empty path", { message: "hi", attachments: [{ path: "" }] }, ["attachments.0.path"]],
    ["an unknown delivery", { message: "hi", delivery: "pigeon" }, ["delivery"]],
    ["two faults", { message: "", delivery: "pigeon" }, ["message", "delivery"]],
  ])("because of %s names the fields at fault", async (_, body, paths) => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.post("/v1/sessions/a/messages", body);
    expectProblem(answer, "invalid_request", { details: faults("body", ...paths) });
  });

  test.each(["messages", "messages/stream"])("adds no event: %s", async (path) => {
    const client = await startTestClient();
    await client.create("a");
    await client.post(`/v1/sessions/a/${path}`, { message: " " });
    expect(outline(await client.events("a"))).toEqual(["session.started"]);
  });
});

test("an agent that does not take the message fails the turn, not the session", async () => {
  const agents = agentsWithMock((mock) => ({
    open: async (spec, sink) => ({
      ...(await mock.open(spec, sink)),
      send: () => Promise.reject(new Error("broken pipe")),
    }),
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "hello");
  await client.wait("a");
  expect(outline(await client.events("a", "?offset=4"))).toEqual(["error internal_error", "turn.ended failed"]);
});

test("an item of an earlier turn is the parent of none in the next", async () => {
  const { agents, emit } = puppet();
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.send("a", "first");
  await emit("a", toolCall("task", {}), { type: "turn.ended" });
  await client.wait("a");
  await client.send("a", "second");
  const child: DraftItem = {
    native_item_id: "child",
    native_parent_id: "call task",
    kind: "message",
    role: "assistant",
    content: [],
  };
  await emit("a", { type: "item.started", item: child }, { type: "turn.ended" });
  await client.wait("a");
  const started = (await client.events("a")).findLast(({ type }) => type === "item.started");
  expect(started?.data).toMatchObject({ item: { native_item_id: "child", parent_id: null } });
});
