/** Agents: what there is, what it can do, installing it. */
import { ProblemError } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

const mockCapabilities = {
  planMode: true,
  permissions: true,
  questions: true,
  toolCalls: true,
  toolResults: true,
  textMessages: true,
  images: true,
  fileAttachments: true,
  sessionLifecycle: true,
  errorEvents: true,
  reasoning: true,
  status: true,
  commandExecution: true,
  fileChanges: true,
  mcpTools: true,
  streamingDeltas: true,
  itemStarted: true,
  sharedProcess: false,
};

const mock = {
  id: "mock",
  name: "Mock",
  source: "builtin",
  installed: true,
  credentialsAvailable: true,
  version: "builtin",
  capabilities: mockCapabilities,
};

test("the config options of an agent are included on request", async () => {
  const client = await startTestClient();
  expect((await client.get("/v1/agents/mock")).json).not.toHaveProperty("configOptions");
  const { configOptions } = (await client.get("/v1/agents/mock?config=true")).json;
  expect(configOptions).toMatchObject([
    { type: "select", id: "model", category: "model", currentValue: "mock" },
    { id: "mode", category: "mode", currentValue: "build" },
    { id: "permission_mode", currentValue: "default" },
  ]);
});

test("the list holds the mock, installed, with all its capabilities", async () => {
  const client = await startTestClient();
  const { json } = await client.get("/v1/agents");
  expect(json.agents).toContainEqual(mock);
});

test("one agent is described as in the list", async () => {
  const client = await startTestClient();
  const { json } = await client.get("/v1/agents/mock");
  expect(json).toEqual(mock);
});

test("the mock can build and plan", async () => {
  const client = await startTestClient();
  const { json } = await client.get("/v1/agents/mock/modes");
  expect(json.modes).toEqual([
    { id: "build", name: "Build", description: expect.stringMatching(/\S/) },
    { id: "plan", name: "Plan", description: expect.stringMatching(/\S/) },
  ]);
});

test("the mock has one model, which is its default", async () => {
  const client = await startTestClient();
  const { json } = await client.get("/v1/agents/mock/models");
  expect(json).toEqual({ models: [{ id: "mock", name: "Mock" }], defaultModel: "mock" });
});

describe("installing", () => {
  test.each([
    ["an empty object", {}],
    ["reinstall", { reinstall: true }],
    ["no body at all", undefined],
  ])("takes %s", async (_, body) => {
    const client = await startTestClient();
    const answer = await client.post("/v1/agents/mock/install", body);
    expect(answer.status).toBe(204);
  });

  test("hands the agent what was asked for", async () => {
    const asked: unknown[] = [];
    const install = async (options: unknown) => void asked.push(options);
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({ install })),
    );
    await client.post("/v1/agents/mock/install", { reinstall: true, agentVersion: "1.2.3" });
    expect(asked).toEqual([{ reinstall: true, version: "1.2.3" }]);
  });

  test("refuses a reinstall that is not a boolean", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/agents/mock/install", { reinstall: "yes" });
    expectProblem(answer, "invalid_request", { details: faults("body", "reinstall") });
  });

  test("reports why it failed", async () => {
    const details = { stderr: "no route to host" };
    const install = async () => {
      throw new ProblemError("install_failed", "the download failed", { agent: "mock", details });
    };
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({ install })),
    );
    const answer = await client.post("/v1/agents/mock/install", {});
    expectProblem(answer, "install_failed", { agent: "mock", details });
  });

  test("hides the cause of an unexpected failure", async () => {
    const install = async () => {
      throw new Error("a bug with a secret in it");
    };
    const client = await startTestClient(
      { dataDir: temporaryDirectory() },
      agentsWithMock(() => ({ install })),
    );
    const answer = await client.post("/v1/agents/mock/install", {});
    expectProblem(answer, "internal_error", {
      detail: "internal error: the daemon failed to handle this request; its log has the cause",
    });
  });
});

describe("an unknown agent", () => {
  test.each([
    ["GET", "/v1/agents/nobody"],
    ["GET", "/v1/agents/nobody/modes"],
    ["GET", "/v1/agents/nobody/models"],
    ["POST", "/v1/agents/nobody/install"],
  ])("is a problem of %s %s", async (method, path) => {
    const client = await startTestClient();
    expectProblem(await client.call(method, path), "unsupported_agent", {
      agent: "nobody",
      detail: expect.stringMatching(/^unsupported agent: unknown agent "nobody"; known agents: mock, /),
    });
  });
});
