/** A log that cannot be written: requests fail with a clear problem, nothing changes, and the daemon stays up. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { AgentRegistry } from "@sandbox-agent/agents";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

/** A session in a daemon whose database another process holds the lock of. */
async function lockedOut(agents?: AgentRegistry) {
  const dataDir = temporaryDirectory();
  const client = await startTestClient({ dataDir }, agents);
  await client.create("a");
  const other = new Database(join(dataDir, "events.db"));
  other.run("BEGIN IMMEDIATE");
  return { client, unlock: () => other.close() };
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
