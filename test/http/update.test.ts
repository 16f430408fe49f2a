/** PATCH: settings of a session change from its next turn on, with an event. */
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const everything = {
  title: "Renamed",
  model: "large",
  variant: "fast",
  agentMode: "plan",
  permissionMode: "bypass",
};

describe("a change of settings", () => {
  test("is answered with the session as it is now", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { json } = await client.patch("/v1/sessions/a", everything);
    expect(json).toMatchObject({ sessionId: "a", ...everything });
  });

  test("is announced by session.updated, which names what changed", async () => {
    const client = await startTestClient();
    await client.create("a");
    await client.patch("/v1/sessions/a", { title: "Renamed", agentMode: "plan" });
    const [announced] = await client.events("a", "?offset=1");
    expect(announced).toMatchObject({
      sequence: 2,
      type: "session.updated",
      source: "daemon",
      synthetic: true,
      data: { metadata: { title: "Renamed", agentMode: "plan" } },
    });
  });

  test("leaves the other settings alone", async () => {
    const client = await startTestClient();
    await client.create("a", everything);
    const { json } = await client.patch("/v1/sessions/a", { title: "Again" });
    expect(json).toMatchObject({ ...everything, title: "Again" });
  });

  test("can take a title and a variant away", async () => {
    const client = await startTestClient();
    await client.create("a", everything);
    const { json } = await client.patch("/v1/sessions/a", { title: null, variant: null });
    expect(json).toMatchObject({ title: null, variant: null });
  });

  test("falls back to asking when the agent cannot accept edits by itself", async () => {
    const client = await startTestClient();
    await client.create("a", { permissionMode: "bypass" });
    const { json } = await client.patch("/v1/sessions/a", { permissionMode: "acceptEdits" });
    expect(json.permissionMode).toBe("default");
  });

  test("reaches the agent before the next turn, not in the running one", async () => {
    const heard: string[] = [];
    const agents = agentsWithMock((mock) => ({
      async open(spec, sink) {
        const session = await mock.open(spec, sink);
        return {
          ...session,
          async configure({ model }) {
            heard.push(`model ${model}`);
          },
          send(turn) {
            heard.push(`message ${turn.text}`);
            return session.send(turn);
          },
        };
      },
    }));
    const client = await startTestClient({}, agents);
    await client.create("a");
    await client.send("a", "permission1");
    await client.wait("a", "request");

    await client.patch("/v1/sessions/a", { model: "large" });
    await client.post("/v1/sessions/a/permissions/mock_1_permission/reply", { reply: "once" });
    await client.wait("a");
    await client.stream("a", "next");

    expect(heard).toEqual(["message permission1", "model large", "message next"]);
  });
});

describe("a rejected change", () => {
  test.each([
    [
      "an unsupported mode",
      { agentMode: "dream" },
      "mode_not_supported",
      { agent: "mock", details: { mode: "dream" } },
    ],
    [
      "an unknown permission mode",
      { permissionMode: "maybe" },
      "invalid_request",
      { details: faults("body", "permissionMode") },
    ],
    ["a title that is no text", { title: 1 }, "invalid_request", { details: faults("body", "title") }],
    ["a model taken away", { model: null }, "invalid_request", { details: faults("body", "model") }],
    ["nothing to change", {}, "invalid_request", { details: faults("body", "") }],
    ["only unknown fields", { colour: "blue" }, "invalid_request", { details: faults("body", "") }],
  ] as const)("because of %s is a problem", async (_, change, kind, members) => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.patch("/v1/sessions/a", change), kind, members);
  });

  test("changes nothing", async () => {
    const client = await startTestClient();
    await client.create("a");
    const before = await client.get("/v1/sessions/a");
    await client.patch("/v1/sessions/a", { title: "Renamed", agentMode: "dream" });
    const after = await client.get("/v1/sessions/a");
    expect(after.json).toEqual(before.json);
  });

  test("names the permission mode that the agent lacks", async () => {
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({ permissionModes: ["default"] })),
    );
    await client.create("a");
    const answer = await client.patch("/v1/sessions/a", { permissionMode: "plan" });
    expectProblem(answer, "mode_not_supported", { agent: "mock", details: { mode: "plan" } });
  });

  test("because of an empty mode is a problem", async () => {
    const client = await startTestClient();
    await client.create("a");
    const answer = await client.patch("/v1/sessions/a", { agentMode: "" });
    expectProblem(answer, "mode_not_supported", { agent: "mock", details: { mode: "" } });
  });
});

test("the agent is given changed settings once, before the next turn", async () => {
  const given: (string | null)[] = [];
  const agents = agentsWithMock((mock) => ({
    async open(spec, sink) {
      const session = await mock.open(spec, sink);
      return {
        ...session,
        async configure(settings) {
          given.push(settings.agentMode);
          await session.configure(settings);
        },
      };
    },
  }));
  const client = await startTestClient({}, agents);
  await client.create("a");
  await client.stream("a", "hello");
  await client.patch("/v1/sessions/a", { agentMode: "plan" });
  expect(given).toEqual([]);
  for (const text of ["one", "two"]) await client.stream("a", text);
  expect(given).toEqual(["plan"]);
});
