/** A daemon that is being stopped, while an agent still takes its time to leave. */
import { describe, expect, onTestFinished, test } from "vitest";
import { type Answer, TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestDaemon } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

async function stopping(before: (client: TestClient) => Promise<void> = async () => {}): Promise<TestClient> {
  const left = Promise.withResolvers<void>();
  const leaving = Promise.withResolvers<void>();
  const agents = agentsWithMock((mock) => ({
    open: async (spec, sink) => ({
      ...(await mock.open(spec, sink)),
      close() {
        leaving.resolve();
        return left.promise;
      },
    }),
  }));
  const daemon = await startTestDaemon({}, agents);
  const client = new TestClient(daemon.url);
  await client.create("a");
  await before(client);
  void daemon.stop();
  onTestFinished(() => left.resolve());
  await leaving.promise;
  return client;
}

describe("a daemon that is stopping", () => {
  const detail = "shutting down: the daemon is shutting down; try again after it has restarted";

  test("takes no new session", async () => {
    const client = await stopping();
    expectProblem(await client.create("b"), "shutting_down", { detail });
  });

  test("takes no message", async () => {
    const client = await stopping();
    expectProblem(await client.send("a", "hello"), "shutting_down", { detail });
  });

  test("lets go of those who wait for a session whose queue it keeps", async () => {
    const waiting: Promise<Answer>[] = [];
    await stopping(async (client) => {
      await client.send("a", "hang");
      await client.send("a", "later");
      waiting.push(client.get("/v1/sessions/a/wait?timeout_ms=600000"));
      // A second request makes it likely that the first has arrived; if not, it is refused with the same words.
      await client.get("/v1/sessions/a");
    });
    for (const answer of waiting) expectProblem(await answer, "shutting_down", { detail });
  });

  test("is still healthy", async () => {
    const client = await stopping();
    const answer = await client.get("/v1/health");
    expect(answer.status).toBe(200);
  });

  test.each([
    ["GET", "/v1/sessions/a"],
    ["GET", "/v1/sessions/a/events"],
    ["GET", "/v1/sessions/a/transcript"],
    ["GET", "/v1/sessions/a/requests"],
    ["DELETE", "/v1/sessions/a"],
    ["POST", "/v1/sessions/a/abort"],
    ["POST", "/v1/sessions/a/terminate"],
  ])("answers no more %s %s", async (method, path) => {
    const client = await stopping();
    expectProblem(await client.call(method, path), "shutting_down", { detail });
  });
});

test("a daemon does not wait for agents that never leave", async () => {
  const never = new Promise<void>(() => {});
  const agents = agentsWithMock((mock) => ({
    open: async (spec, sink) => ({ ...(await mock.open(spec, sink)), close: () => never }),
  }));
  const { url, stop } = await startTestDaemon({}, agents);
  const client = new TestClient(url);
  await client.create("a");
  await client.send("a", "hang");
  const stream = await client.fetch("GET", "/v1/sessions/a/events/sse");
  await stop();
  expect(await stream.text()).toContain('"reason":"interrupted"');
});
