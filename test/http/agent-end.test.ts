/** What a session is like after its agent ended it, or died. */
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem } from "../harness/problem.ts";

async function sessionAfter(command: string): Promise<TestClient> {
  const client = await startTestClient();
  await client.create("a");
  await client.send("a", command);
  await client.wait("a", "ended");
  return client;
}

describe("a session that its agent ended", () => {
  test("is ended", async () => {
    const client = await sessionAfter("end");
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toMatchObject({ ended: true, status: "ended" });
  });

  test("is opened again by the next message", async () => {
    const client = await sessionAfter("end");
    expect(outline(await client.stream("a", "hello"))).toEqual([
      "turn.started",
      "item.started message user in_progress mock_2_user",
      "item.completed message user completed mock_2_user",
      "item.started message assistant in_progress mock_2_reply",
      "item.delta mock_2_reply",
      "item.completed message assistant completed mock_2_reply",
      "turn.ended completed",
    ]);
  });

  test("is no longer ended then", async () => {
    const client = await sessionAfter("end");
    await client.stream("a", "hello");
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toMatchObject({ ended: false, status: "idle" });
  });

  test("goes on in the same conversation of the agent", async () => {
    const client = await sessionAfter("end");
    await client.stream("a", "hello");
    const events = await client.events("a");
    expect(new Set(events.map(({ native_session_id }) => native_session_id))).toEqual(new Set(["mock-a"]));
  });

  test("has a well-formed history", async () => {
    const client = await sessionAfter("end");
    await client.stream("a", "hello");
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("can be terminated: then it stays ended", async () => {
    const client = await sessionAfter("end");
    await client.post("/v1/sessions/a/terminate");
    expectProblem(await client.send("a", "hello"), "invalid_request", { sessionId: "a" });
  });
});

describe("a session whose agent died", () => {
  const stderr = { head: "mock: fatal: told to crash", tail: null, truncated: false, total_lines: 1 };

  test("ends with the error and how the agent exited", async () => {
    const client = await sessionAfter("crash");
    const events = await client.events("a", "?offset=7");
    expect(events).toMatchObject([
      {
        type: "error",
        synthetic: true,
        data: { code: "process_exit", message: "the mock agent crashed", details: { exit_code: 1 } },
      },
      {
        type: "session.ended",
        synthetic: true,
        data: { reason: "error", terminated_by: "agent", message: "the mock agent crashed", exit_code: 1, stderr },
      },
    ]);
  });

  test("keeps what the agent said before", async () => {
    const client = await sessionAfter("crash");
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect(json.items[1]).toMatchObject({ status: "failed", content: [{ type: "text", text: "I am about to" }] });
  });

  test.each(["messages", "messages/stream"])("takes no more %s", async (path) => {
    const client = await sessionAfter("crash");
    expectProblem(await client.post(`/v1/sessions/a/${path}`, { message: "hi" }), "agent_process_exited", {
      agent: "mock",
      sessionId: "a",
      detail: "agent process exited: the mock agent crashed; create a new session",
      details: { exitCode: 1, stderr },
    });
  });

  test("has no event added by a refused message", async () => {
    const client = await sessionAfter("crash");
    const before = await client.events("a");
    await client.send("a", "hi");
    expect(await client.events("a")).toEqual(before);
  });

  test("does not harm another", async () => {
    const client = await sessionAfter("crash");
    await client.create("b");
    expect(outline(await client.stream("b", "hello")).at(-1)).toBe("turn.ended completed");
  });
});
