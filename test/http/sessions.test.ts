/** Sessions as a resource: creating, reading and listing them. */
import { join, relative } from "node:path";
import { mockAgent } from "@sandbox-agent/agents";
import { Glob } from "bun";
import { describe, expect, test } from "vitest";
import { type Answer, TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

describe("a new session", () => {
  test("is answered with its health and the agent's own id", async () => {
    const client = await startTestClient();
    const answer = await client.create("a");
    expect(answer.json).toEqual({ healthy: true, nativeSessionId: "mock-a" });
  });

  test("begins with session.started, before any message", async () => {
    const client = await startTestClient();
    await client.create("a");
    expect(await client.events("a")).toEqual([
      {
        event_id: expect.any(String),
        sequence: 1,
        time: expect.any(String),
        session_id: "a",
        native_session_id: "mock-a",
        source: "daemon",
        synthetic: true,
        type: "session.started",
        data: {
          metadata: { agent: "mock", agentMode: "build", permissionMode: "default", model: "mock", variant: null },
        },
      },
    ]);
  });

  test("has the default settings and is idle", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toEqual({
      sessionId: "a",
      agent: "mock",
      agentMode: "build",
      permissionMode: "default",
      model: "mock",
      variant: null,
      nativeSessionId: "mock-a",
      ended: false,
      status: "idle",
      eventCount: 1,
      lastSequence: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      directory: null,
      title: null,
      queue: [],
      usage: {},
    });
  });

  test("counts its time in epoch milliseconds", async () => {
    const client = await startTestClient();
    const before = Date.now();
    await client.create("a");
    const { json } = await client.get("/v1/sessions/a");
    const times = [before, json.createdAt, json.updatedAt, Date.now()];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("reports every setting it was given", async () => {
    const client = await startTestClient();
    const settings = {
      agentMode: "plan",
      permissionMode: "bypass",
      model: "large",
      variant: "fast",
      directory: temporaryDirectory(),
      title: "First steps",
    };
    await client.create("a", settings);
    const { json } = await client.get("/v1/sessions/a");
    expect(json).toMatchObject(settings);
  });

  test("takes null for every setting it may choose itself", async () => {
    const client = await startTestClient();
    const unset = { agentMode: null, permissionMode: null, model: null, variant: null, directory: null, title: null };
    const answer = await client.create("a", { ...unset, agentVersion: null, mcp: null, skills: null });
    expect(answer.status).toBe(200);
  });

  test("ignores fields it does not know", async () => {
    const client = await startTestClient();
    const answer = await client.create("a", { token: "x", validateToken: true, colour: "blue" });
    expect(answer.status).toBe(200);
  });

  test("falls back to asking when the agent cannot accept edits by itself", async () => {
    const client = await startTestClient();
    await client.create("a", { permissionMode: "acceptEdits" });
    const { json } = await client.get("/v1/sessions/a");
    expect(json.permissionMode).toBe("default");
  });

  test("knows its directory by the whole path", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("a", { directory: relative(process.cwd(), directory) });
    const { json } = await client.get("/v1/sessions/a");
    expect(json.directory).toBe(directory);
  });

  test("hands everything to its agent, the directory to run in among it", async () => {
    const opened: unknown[] = [];
    const agents = agentsWithMock((mock) => ({
      open(spec, sink) {
        opened.push(spec);
        return mock.open(spec, sink);
      },
    }));
    const client = await startTestClient({}, agents);
    const settings = {
      agentMode: "plan",
      permissionMode: "plan",
      model: "large",
      variant: "fast",
      agentVersion: "1.2.3",
      directory: temporaryDirectory(),
      mcp: { shell: { type: "local", command: "sh" } },
      env: { NODE_ENV: "test" },
      credentials: { anthropic: "key" },
      endpoints: { anthropic: "http://localhost:1" },
    };
    await client.create("a", settings);
    expect(opened).toEqual([
      { sessionId: "a", nativeSessionId: null, history: expect.any(Function), skills: { sources: [] }, ...settings },
    ]);
  });

  test("keeps its secrets to itself", async () => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    await client.create("a", { env: { A: "hidden-variable" }, credentials: { anthropic: "hidden-key" } });
    await client.stream("a", "hello");
    const told = await Promise.all(
      ["", "/events", "/transcript"].map(async (path) => (await client.get(`/v1/sessions/a${path}`)).text),
    );
    const stored = await Array.fromAsync(new Glob("**/*").scan(dataDir), (name) =>
      Bun.file(join(dataDir, name)).text(),
    );
    expect([...told, ...stored].filter((text) => text.includes("hidden"))).toEqual([]);
  });

  test("shows its MCP servers without the values that may be secrets", async () => {
    const client = await startTestClient();
    const mcp = {
      files: { type: "local", command: ["npx", "files"], args: ["."], env: { A: "1" }, timeoutMs: 500, cwd: "/" },
      shell: { type: "stdio", command: "sh", environment: { B: "2" }, enabled: false, timeout: 10 },
      search: { type: "remote", url: "https://example.com/mcp", headers: { a: "b" }, oauth: false, transport: "sse" },
      issues: {
        type: "http",
        url: "https://example.com/issues",
        bearerTokenEnvVar: "TOKEN",
        envHeaders: { "x-a": "A" },
        oauth: { clientId: "id", clientSecret: "secret", scope: "all" },
      },
    };
    await client.create("a", { mcp });
    const { json } = await client.get("/v1/sessions/a");
    const { files, shell, search, issues } = mcp;
    expect(json.mcp).toEqual({
      files: { ...files, env: { A: "<redacted>" } },
      shell: { ...shell, environment: { B: "<redacted>" } },
      search: { ...search, headers: { a: "<redacted>" } },
      issues: { ...issues, oauth: { ...issues.oauth, clientSecret: "<redacted>" } },
    });
  });
});

describe("the list of sessions", () => {
  test("is empty at first", async () => {
    const client = await startTestClient();
    const { json } = await client.get("/v1/sessions");
    expect(json).toEqual({ sessions: [] });
  });

  test("has the newest first, ended ones among them", async () => {
    const client = await startTestClient();
    for (const id of ["first", "second", "third"]) await client.create(id);
    await client.post("/v1/sessions/second/terminate");
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual([
      "third",
      "second",
      "first",
    ]);
  });

  test("describes a session as it describes itself", async () => {
    const client = await startTestClient();
    await client.create("a", { title: "A" });
    const [list, one] = [await client.get("/v1/sessions"), await client.get("/v1/sessions/a")];
    expect(list.json.sessions).toEqual([one.json]);
  });

  test("comes in pages, of which the last has no cursor", async () => {
    const client = await startTestClient();
    for (const id of ["a", "b", "c", "d", "e"]) await client.create(id);
    const first = await client.get("/v1/sessions?limit=2");
    expect(idsIn(first)).toEqual(["e", "d"]);
    // Neither what is created nor what is deleted meanwhile moves the pages that follow.
    await client.create("f");
    await client.delete("/v1/sessions/d");
    const second = await client.get(`/v1/sessions?limit=2&cursor=${first.json.nextCursor}`);
    expect(idsIn(second)).toEqual(["c", "b"]);
    const third = await client.get(`/v1/sessions?limit=2&cursor=${second.json.nextCursor}`);
    expect(third.json).toEqual({ sessions: [expect.objectContaining({ sessionId: "a" })] });
    expect((await client.get("/v1/sessions?limit=5")).json).not.toHaveProperty("nextCursor");
  });

  test("is narrowed to an agent, a directory and statuses, also in pages and after a restart", async () => {
    const agents = new Map([mockAgent, { ...mockAgent, id: "other" }].map((agent) => [agent.id, agent]));
    const [dataDir, directory] = [temporaryDirectory(), temporaryDirectory()];
    const daemon = await startTestDaemon({ dataDir }, agents);
    const client = new TestClient(daemon.url);
    await client.create("idle", { directory });
    await client.create("other", { agent: "other", directory });
    await client.create("ended", { directory });
    await client.post("/v1/sessions/ended/terminate");
    await client.create("waiting");
    await client.send("waiting", "permission");
    await client.wait("waiting", "request");
    await client.create("running");
    await client.send("running", "slow 100000 100");
    const list = async (query: string) => idsIn(await client.get(`/v1/sessions?${query}`));

    expect(await list("agent=other")).toEqual(["other"]);
    expect(await list("agent=nobody")).toEqual([]);
    expect(await list(`directory=${directory}`)).toEqual(["ended", "other", "idle"]);
    expect(await list(`directory=${directory}/sub/..`)).toEqual(["ended", "other", "idle"]);
    expect(await list("directory=/")).toEqual([]);
    expect(await list("status=running")).toEqual(["running"]);
    expect(await list("status=running,waiting")).toEqual(["running", "waiting"]);
    expect(await list(`status=idle&directory=${directory}&agent=mock`)).toEqual(["idle"]);
    const page = await client.get(`/v1/sessions?limit=1&directory=${directory}&status=idle`);
    expect(idsIn(page)).toEqual(["other"]);
    const rest = await client.get(
      `/v1/sessions?limit=1&directory=${directory}&status=idle&cursor=${page.json.nextCursor}`,
    );
    expect([idsIn(rest), rest.json.nextCursor]).toEqual([["idle"], undefined]);

    await daemon.stop();
    const again = new TestClient((await startTestDaemon({ dataDir }, agents)).url);
    expect(idsIn(await again.get("/v1/sessions?status=ended"))).toEqual(["ended"]);
    expect(idsIn(await again.get("/v1/sessions?status=running,waiting"))).toEqual([]);
    expect(idsIn(await again.get("/v1/sessions?status=idle"))).toEqual(["running", "waiting", "other", "idle"]);
  });

  test.each(["limit=0", "limit=x", "status=sleeping", "cursor=x", "cursor="])("is a problem with %s", async (query) => {
    const client = await startTestClient();
    const { json } = await client.get(`/v1/sessions?${query}`);
    expect(json).toMatchObject({ status: 400, detail: expect.stringContaining(query.split("=")[0] ?? "") });
  });
});

function idsIn({ json }: Answer): string[] {
  return json.sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
}

test("two sessions that run at the same time do not mix their events", async () => {
  const client = await startTestClient();
  await client.create("a");
  await client.create("b");
  await Promise.all([client.send("a", "burst 200"), client.send("b", "burst 200")]);
  await Promise.all([client.wait("a"), client.wait("b")]);
  const [ofA, ofB] = [await client.events("a"), await client.events("b")];
  expect([new Set(ofA.map((event) => event.session_id)), new Set(ofB.map((event) => event.session_id))]).toEqual([
    new Set(["a"]),
    new Set(["b"]),
  ]);
});

describe("an unknown session", () => {
  const message = { message: "hi" };
  test.each([
    ["GET", ""],
    ["PATCH", "", { title: "x" }],
    ["DELETE", ""],
    ["POST", "/terminate"],
    ["GET", "/transcript"],
    ["GET", "/wait"],
    ["POST", "/messages", message],
    ["POST", "/messages/stream", message],
    ["DELETE", "/messages/msg_1"],
    ["POST", "/abort"],
    ["GET", "/events"],
    ["GET", "/events/sse"],
    ["GET", "/requests"],
    ["POST", "/permissions/p/reply", { reply: "once" }],
    ["POST", "/questions/q/reply", { answers: [["Yes"]] }],
    ["POST", "/questions/q/reject"],
  ])("is a problem of %s /v1/sessions/{id}%s", async (method, path, body?: unknown) => {
    const client = await startTestClient();
    const answer = await client.call(method, `/v1/sessions/nobody${path}`, { body });
    expectProblem(answer, "session_not_found", {
      sessionId: "nobody",
      detail: 'session not found: there is no session "nobody"',
    });
  });
});
