/** A log that cannot be written: requests fail with a clear problem, nothing changes, and the daemon stays up. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { AgentRegistry } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { puppet, words } from "../harness/puppet.ts";

/** A session in a daemon whose database can be locked as another process would. */
async function unlocked(agents?: AgentRegistry) {
  const dataDir = temporaryDirectory();
  const client = await startTestClient({ dataDir }, agents);
  await client.create("a");
  const lock = () => {
    const other = new Database(join(dataDir, "events.db"));
    other.run("BEGIN IMMEDIATE");
    return () => other.close();
  };
  return { client, lock };
}

async function lockedOut(agents?: AgentRegistry) {
  const { client, lock } = await unlocked(agents);
  return { client, unlock: lock() };
}

/** The same with a session that waits for an answer, and has another message behind that turn. */
async function lockedOutWaiting(command: string) {
  const { client, lock } = await unlocked();
  await client.send("a", command);
  await client.wait("a", "request");
  const { headers } = await client.send("a", "later");
  return { client, queued: headers.get("x-message-id"), unlock: lock() };
}

describe("a locked database", () => {
  test.each([
    ["creating a session", "POST", "/v1/sessions/b", { agent: "mock" }],
    ["sending a message", "POST", "/v1/sessions/a/messages", { message: "hello" }],
    ["changing a session", "PATCH", "/v1/sessions/a", { title: "x" }],
    ["deleting a session", "DELETE", "/v1/sessions/a", undefined],
  ])("is a problem of %s", async (_, method, path, body) => {
    const { client } = await lockedOut();
    expectProblem(await client.call(method, path, { body }), "storage_unavailable", {
      detail: "storage unavailable: the event log is locked by another process; nothing was changed, try again",
      details: { code: expect.stringMatching(/^SQLITE_BUSY/), message: expect.any(String) },
    });
  });

  test("changes nothing", async () => {
    const { client, unlock } = await lockedOut();
    const before = await client.get("/v1/sessions");
    await client.create("b");
    await client.send("a", "hello");
    await client.patch("/v1/sessions/a", { title: "x" });
    unlock();
    const after = await client.get("/v1/sessions");
    expect(after.json).toEqual(before.json);
  });

  test.each([
    ["queuing a message", "permission1", "POST", "/messages", { message: "hello" }],
    ["steering a turn", "permission1", "POST", "/messages", { message: "left", delivery: "steer" }],
    ["taking a message back", "permission1", "DELETE", "/messages/{queued}", undefined],
    ["replying to a permission", "permission1", "POST", "/permissions/mock_1_permission/reply", { reply: "once" }],
    ["replying to a question", "question1", "POST", "/questions/mock_1_question/reply", { answers: [["Red"]] }],
    ["terminating a session", "permission1", "POST", "/terminate", undefined],
  ])("is a problem of %s, which changes nothing", async (_, command, method, path, body) => {
    const { client, queued, unlock } = await lockedOutWaiting(command);
    const before = await client.events("a");
    const answer = await client.call(method, `/v1/sessions/a${path.replace("{queued}", `${queued}`)}`, { body });
    expect([answer.status, answer.json?.type]).toEqual([503, "urn:sandbox-agent:error:storage_unavailable"]);
    unlock();
    expect(await client.events("a")).toEqual(before);
  });

  test("is a problem of aborting a turn, which continues", async () => {
    const { agents, emit } = puppet();
    const { client, lock } = await unlocked(agents);
    await client.send("a", "go on");
    const unlock = lock();
    // What is emitted waits for the database.
    await emit("a", words("w", "working"));
    expect((await client.post("/v1/sessions/a/abort")).status).toBe(503);
    unlock();
    expect((await client.get("/v1/sessions/a")).json.status).toBe("running");
  });

  test("is a problem of aborting a turn whose end it does not store", { timeout: 30_000 }, async () => {
    const { agents } = puppet();
    const { client, lock } = await unlocked(agents);
    await client.send("a", "go on");
    const unlock = lock();
    expect((await client.post("/v1/sessions/a/abort")).status).toBe(503);
    unlock();
  });

  test("delays a queued message until it is unlocked", async () => {
    const { agents, emit } = puppet();
    const { client, lock } = await unlocked(agents);
    for (const text of ["one", "two"]) await client.send("a", text);
    const unlock = lock();
    await emit("a", { type: "turn.ended" });
    // The next turn has been tried once when another command has been refused.
    expect((await client.patch("/v1/sessions/a", { title: "x" })).status).toBe(503);
    unlock();
    await expect
      .poll(async () => (await client.get("/v1/sessions/a")).json)
      .toMatchObject({
        status: "running",
        queue: [],
      });
  });

  test("leaves no agent open for a session that could not be stored", async () => {
    const steps: string[] = [];
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        steps.push(`open ${spec.sessionId}`);
        const session = await mock.open(spec, sink);
        return {
          ...session,
          async close() {
            steps.push(`close ${spec.sessionId}`);
            await session.close();
          },
        };
      },
    }));
    const { client, unlock } = await lockedOut(agents);
    expect((await client.create("b")).status).toBe(503);
    expect(steps).toEqual(["open a", "open b", "close b"]);
    unlock();
    expect((await client.create("b")).status).toBe(200);
  });

  test("can still be read", async () => {
    const { client } = await lockedOut();
    const answer = await client.get("/v1/sessions/a/events");
    expect(answer.status).toBe(200);
  });
});
