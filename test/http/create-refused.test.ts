/** Sessions that cannot be created: why, and that nothing is left of the attempt. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

describe("a session that cannot be created", () => {
  const missing = "/no/such/directory";

  test.each([
    ["an unknown agent", { agent: "nobody" }, "unsupported_agent", { agent: "nobody" }],
    [
      "an unsupported mode",
      { agentMode: "dream" },
      "mode_not_supported",
      { agent: "mock", details: { mode: "dream" } },
    ],
    [
      "a missing directory",
      { directory: missing },
      "invalid_request",
      { detail: `invalid request: directory ${missing} does not exist; create it first` },
    ],
    [
      "a file as directory",
      { directory: import.meta.filename },
      "invalid_request",
      { detail: `invalid request: directory ${import.meta.filename} is not a directory; create it first` },
    ],
  ] as const)("because of %s is a problem", async (_, body, kind, members) => {
    const client = await startTestClient();
    expectProblem(await client.create("a", body), kind, members);
  });

  test.each([
    ["an unknown agent", { agent: "nobody" }],
    ["an unsupported mode", { agentMode: "dream" }],
    ["a missing directory", { directory: missing }],
  ])("because of %s does not exist afterwards", async (_, body) => {
    const client = await startTestClient();
    await client.create("a", body);
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });

  test("leaves its id free", async () => {
    const client = await startTestClient();
    await client.create("a", { agentMode: "dream" });
    const answer = await client.create("a");
    expect(answer.status).toBe(200);
  });

  test("leaves nothing that was kept of its directory", async () => {
    const dataDir = temporaryDirectory();
    const shadows = join(dataDir, "checkpoints");
    const kept = () => (existsSync(shadows) ? readdirSync(shadows) : []);
    const open = async () => {
      // The directory is read while the agent starts.
      await expect.poll(kept).toHaveLength(1);
      throw new Error("it is not there");
    };
    const client = await startTestClient(
      { dataDir },
      agentsWithMock(() => ({ open })),
    );
    expect((await client.create("a", { directory: temporaryDirectory() })).status).not.toBe(200);
    expect(kept()).toEqual([]);
  });

  test("is rejected with a permission mode that its agent lacks", async () => {
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({ permissionModes: ["default"] })),
    );
    const answer = await client.create("a", { permissionMode: "bypass" });
    expectProblem(answer, "mode_not_supported", { agent: "mock", details: { mode: "bypass" } });
  });

  test.each([
    ["agent_not_installed", {}],
    ["install_failed", { stderr: "no route to host" }],
    ["agent_process_exited", { exitCode: 127, stderr: null }],
  ] as const)("reports that its agent could not be started: %s", async (kind, details) => {
    const open = async () => {
      throw new ProblemError(kind, "it is not there", { agent: "mock", details });
    };
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({ open })),
    );
    expectProblem(await client.create("a"), kind, { agent: "mock", details });
  });
});

describe("an id that is taken", () => {
  test("is a problem", async () => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.create("a"), "session_already_exists", {
      sessionId: "a",
      detail: 'session already exists: session "a" already exists; send it a message, or choose another id',
    });
  });

  test("is rejected before the settings are checked", async () => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.create("a", { agentMode: "dream" }), "session_already_exists", { sessionId: "a" });
  });

  test("stays with the session that has it", async () => {
    const client = await startTestClient();
    await client.create("a", { title: "mine" });
    const before = await client.get("/v1/sessions/a");
    await client.create("a", { title: "yours", agentMode: "plan" });
    const after = await client.get("/v1/sessions/a");
    expect(after.json).toEqual(before.json);
  });

  test("goes to exactly one of many who race for it", async () => {
    const client = await startTestClient();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => client.create("a", { title: `${n}` })));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
  });

  test("is raced for without a trace of the losers", async () => {
    const client = await startTestClient();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => client.create("a", { title: `${n}` })));
    const winner = answers.findIndex(({ status }) => status === 200);
    const { json } = await client.get("/v1/sessions");
    const found = json.sessions.map(({ sessionId, title, eventCount }: Record<string, unknown>) => ({
      sessionId,
      title,
      eventCount,
    }));
    expect(found).toEqual([{ sessionId: "a", title: `${winner}`, eventCount: 1 }]);
  });
});
