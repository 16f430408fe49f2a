/** What a session is like after its agent ended it, crashed, or cannot be started. */
import { checkEvents, ProblemError } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
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

  test("continues the same conversation of the agent", async () => {
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

const stderr = { head: "mock: fatal: crash requested", tail: null, truncated: false, total_lines: 1 };

describe("a session whose agent crashed in a turn", () => {
  async function crashed(): Promise<TestClient> {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "crash");
    await client.wait("a");
    return client;
  }

  test("has the error with how the agent exited, and the end of the turn", async () => {
    const client = await crashed();
    const events = await client.events("a", "?offset=7");
    expect(events).toMatchObject([
      {
        type: "error",
        synthetic: true,
        data: { code: "process_exit", message: "the mock agent crashed", details: { exit_code: 1, stderr } },
      },
      { type: "turn.ended", synthetic: true, data: { turn_id: "turn_1", metadata: { reason: "failed" } } },
    ]);
    expect(checkEvents(await client.events("a"), { finished: true })).toEqual([]);
  });

  test("keeps the agent's earlier items", async () => {
    const client = await crashed();
    const { json } = await client.get("/v1/sessions/a/transcript");
    expect(json.items[1]).toMatchObject({ status: "failed", content: [{ type: "text", text: "I am about to" }] });
  });

  test("stays: the next message starts the agent again, in the same conversation", async () => {
    const opened: (string | null)[] = [];
    const agents = agentsWithMock((mock) => ({
      open(spec, sink) {
        opened.push(spec.nativeSessionId);
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "crash");
    await client.wait("a");
    expect((await client.get("/v1/sessions/a")).json).toMatchObject({ ended: false, status: "idle" });
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
    expect(opened).toEqual([null, "mock-a"]);
  });

  test("is not ended by crashes of an agent that works in between", async () => {
    const client = await startTestClient();
    await client.create("a");
    for (let round = 0; round < 5; round++) {
      await client.send("a", round % 2 === 0 ? "crash" : "crash early");
      await client.wait("a");
    }
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });

  test("counts as one whose agent works: it takes three failures in a row to end it", async () => {
    const client = await startTestClient();
    await client.create("a");
    for (const command of ["crash", "crash early", "crash early"]) {
      await client.send("a", command);
      await client.wait("a");
    }
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });

  test("has its old agent closed before the next one is opened, and ignores what that one still emits", async () => {
    const steps: string[] = [];
    let emitLate = () => {};
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        steps.push("open");
        const session = await mock.open(spec, sink);
        emitLate = () => void sink.emit([{ type: "error", error: { message: "late" } }]);
        return {
          ...session,
          async close() {
            await Bun.sleep(20);
            steps.push("closed");
            emitLate();
          },
        };
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "crash");
    await client.send("a", "hello");
    await client.wait("a");
    expect(steps).toEqual(["open", "closed", "open"]);
    expect(JSON.stringify(await client.events("a"))).not.toContain("late");
  });

  test("does not harm another", async () => {
    const client = await crashed();
    await client.create("b");
    expect(outline(await client.stream("b", "hello")).at(-1)).toBe("turn.ended completed");
  });
});

describe("a session whose agent crashed between turns", () => {
  test("continues normally with the next message", async () => {
    let crash = () => {};
    let opened = 0;
    const exit = { code: 1, message: "the mock agent crashed", stderr };
    const agents = agentsWithMock((mock) => ({
      open(spec, sink) {
        opened += 1;
        crash = () => void sink.emit([{ type: "agent.exited", exit }]);
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.stream("a", "hello");
    const before = await client.events("a");
    crash();
    expect(await client.events("a")).toEqual(before);
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
    expect(opened).toBe(2);
  });
});

describe("a session whose agent cannot be started", () => {
  const failure = "mock failed 3 times in a row before it produced anything: the mock agent crashed";
  const message = `${failure}; fix the cause, then fork this session or create a new one`;

  async function unstartable(): Promise<TestClient> {
    const client = await startTestClient();
    await client.create("a");
    for (let attempt = 0; attempt < 3; attempt++) {
      await client.send("a", "crash early");
      await client.wait("a");
    }
    return client;
  }

  test("is ended after the third failure in a row, with the reason and what to do", async () => {
    const client = await unstartable();
    const events = await client.events("a");
    expect(outline(events).filter((line) => /^(turn.ended|session.ended|error)/.test(line))).toEqual([
      ...Array.from({ length: 3 }, () => ["error process_exit", "turn.ended failed"]).flat(),
      "session.ended error agent",
    ]);
    expect(events.at(-1)).toMatchObject({
      synthetic: true,
      data: { reason: "error", terminated_by: "agent", message, exit_code: 1, stderr },
    });
    expect(checkEvents(events, { finished: true })).toEqual([]);
  });

  test.each(["messages", "messages/stream"])("takes no more %s, and has no event added by them", async (path) => {
    const client = await unstartable();
    const before = await client.events("a");
    expectProblem(await client.post(`/v1/sessions/a/${path}`, { message: "hi" }), "agent_process_exited", {
      agent: "mock",
      sessionId: "a",
      detail: `agent process exited: ${message}`,
      details: { exitCode: 1, stderr },
    });
    expect(await client.events("a")).toEqual(before);
  });

  test("is ended as well when opening the agent fails, and drops its queue", async () => {
    let isBroken = false;
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        if (isBroken) throw new Error("no such program");
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "permission1");
    for (const text of ["crash", "one", "two", "three", "four"]) await client.send("a", text);
    isBroken = true;
    await client.wait("a", "request");
    await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
    await client.wait("a", "ended");
    const events = await client.events("a");
    expect(outline(events).filter((line) => /^(turn.ended|session.ended|error|message.cancelled)/.test(line))).toEqual([
      "turn.ended completed",
      "error process_exit",
      "turn.ended failed",
      ...Array.from({ length: 3 }, () => ["error stream_error", "turn.ended failed"]).flat(),
      "session.ended error agent",
      "message.cancelled",
    ]);
    const cause = "mock failed to start the session: no such program";
    expect(events.find(({ type }) => type === "session.ended")?.data).toEqual({
      reason: "error",
      terminated_by: "agent",
      message: message.replace("the mock agent crashed", cause),
    });
    expect(checkEvents(events, { finished: true })).toEqual([]);
  });

  test("stays when the cause is a problem that can be solved meanwhile", async () => {
    let isMissing = false;
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        if (isMissing) throw new ProblemError("agent_not_installed", "mock is not installed");
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.stream("a", "crash");
    await client.wait("a");
    isMissing = true;
    for (let attempt = 0; attempt < 4; attempt++) {
      await client.send("a", "hello");
      await client.wait("a");
    }
    isMissing = false;
    expect(outline(await client.stream("a", "hello")).at(-1)).toBe("turn.ended completed");
  });
});
