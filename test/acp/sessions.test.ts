/** Sessions through the ACP API: created, loaded, listed, forked, changed, and shared with the other APIs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { type EditorOptions, openEditor, select, socketStream } from "./lab.ts";

let servers = 0;
const open = (client: TestClient, options?: EditorOptions) =>
  openEditor(socketStream(client, `editor-${++servers}`), options);

const kinds = (updates: SessionUpdate[]) => updates.map(({ sessionUpdate }) => sessionUpdate);

describe("a new session", () => {
  test("is a session of the daemon, in the requested directory", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const editor = await open(client);
    const { sessionId, modes, configOptions } = await editor.agent.request("session/new", {
      cwd: directory,
      mcpServers: [{ name: "lab", command: "lab-mcp", args: [], env: [{ name: "A", value: "1" }] }],
      _meta: { sandboxagent: { title: "From the editor", permissionMode: "bypass" } },
    });
    expect(modes).toMatchObject({ currentModeId: "build", availableModes: [{ id: "build" }, { id: "plan" }] });
    expect(configOptions).toMatchObject([
      { id: "model", category: "model", currentValue: "mock" },
      { id: "mode", category: "mode", currentValue: "build" },
      { id: "permission_mode", currentValue: "bypass" },
    ]);
    expect((await client.get(`/v1/sessions/${sessionId}`)).json).toMatchObject({
      agent: "mock",
      directory,
      title: "From the editor",
      permissionMode: "bypass",
      mcp: { lab: { type: "stdio", command: "lab-mcp", env: { A: "<redacted>" } } },
    });
  });

  test.each([
    [{ cwd: "/nonexistent/here", mcpServers: [] }, -32602, "/nonexistent/here"],
    [{ cwd: "/tmp", mcpServers: [], _meta: { sandboxagent: { permissionMode: "sudo" } } }, -32602, "permissionMode"],
    [{ mcpServers: [] }, -32602, ""],
    [{ cwd: "/tmp" }, -32602, ""],
  ])("cannot be created with %o", async (params, code, text) => {
    const client = await startTestClient();
    const editor = await open(client);
    await expect(editor.agent.request<unknown>("session/new", params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
    expect((await client.get("/v1/sessions")).json.sessions).toEqual([]);
  });
});

describe("a session of another API", () => {
  test("is listed, loaded with its history, and continues", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("rest", { title: "Begun by REST", directory });
    await client.stream("rest", "hello there");
    await client.stream("rest", "tool");
    const editor = await open(client);
    const { sessions } = await editor.agent.request("session/list", {});
    expect(sessions).toEqual([
      { sessionId: "rest", cwd: directory, title: "Begun by REST", updatedAt: expect.stringMatching(/^\d{4}-/) },
    ]);
    expect((await editor.agent.request("session/list", { cwd: "/elsewhere" })).sessions).toEqual([]);

    const loaded = await editor.agent.request("session/load", { sessionId: "rest", cwd: "/tmp", mcpServers: [] });
    expect(loaded).toMatchObject({ modes: { currentModeId: "build" } });
    expect(kinds(editor.updates)).toEqual([
      "user_message_chunk",
      "agent_message_chunk",
      "user_message_chunk",
      "tool_call",
      "tool_call_update",
    ]);
    expect(editor.text("agent_message_chunk")).toBe("hello there");
    expect(await editor.prompt("rest", "and again")).toBe("end_turn");
    expect(editor.text("agent_message_chunk")).toBe("hello thereand again");
  });

  test("sends the messages of all clients", async () => {
    const client = await startTestClient();
    await client.create("rest", { directory: temporaryDirectory() });
    const editor = await open(client);
    await editor.agent.request("session/resume", { sessionId: "rest", cwd: "/tmp", mcpServers: [] });
    expect(editor.updates).toEqual([]);
    await client.stream("rest", "from REST");
    await editor.until(() => editor.updates.length === 2);
    expect(editor.text("user_message_chunk")).toBe("from REST");
    expect(editor.text("agent_message_chunk")).toBe("from REST");
  });

  test("sends its open requests again", async () => {
    const client = await startTestClient();
    await client.create("rest", { directory: temporaryDirectory() });
    await client.send("rest", "permission1");
    await client.wait("rest", "request");
    const editor = await open(client, { onPermission: async () => select("allow-once") });
    await editor.agent.request("session/load", { sessionId: "rest", cwd: "/tmp", mcpServers: [] });
    await client.wait("rest", "idle");
    const resolved = (await client.events("rest")).find(({ type }) => type === "permission.resolved");
    expect(resolved?.data).toMatchObject({ status: "approved", metadata: { reply: "once" } });
  });

  test("of another agent is rejected", async () => {
    const client = await startTestClient();
    await client.call("PUT", "/v1/agents/other", { body: { command: process.execPath } });
    await client.create("rest", { directory: temporaryDirectory() });
    const editor = await openEditor(socketStream(client, "other", "other"));
    expect((await editor.agent.request("session/list", {})).sessions).toEqual([]);
    await expect(
      editor.agent.request("session/resume", { sessionId: "rest", cwd: "/tmp", mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("agent=mock") });
  });
});

describe("a session that does not exist", () => {
  test.each(["session/load", "session/resume", "session/fork"] as const)("%s fails", async (method) => {
    const editor = await open(await startTestClient());
    const params = { sessionId: "nobody", cwd: "/tmp", mcpServers: [] };
    await expect(editor.agent.request(method, params)).rejects.toMatchObject({ code: -32002 });
  });

  test("cannot be prompted before it is open on the connection", async () => {
    const client = await startTestClient();
    await client.create("rest", { directory: temporaryDirectory() });
    const editor = await open(client);
    await expect(editor.prompt("rest", "hello")).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining("load or resume it first"),
    });
  });
});

test("a fork is a separate session with the same history", async () => {
  const client = await startTestClient();
  const editor = await open(client);
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "the word is apple");
  const fork = await editor.agent.request("session/fork", { sessionId, cwd: temporaryDirectory() });
  expect(fork.sessionId).not.toBe(sessionId);
  expect(fork.modes).toMatchObject({ currentModeId: "build" });
  await editor.prompt(fork.sessionId, "what was it?");
  await editor.prompt(fork.sessionId, "thanks");
  const { json } = await client.get(`/v1/sessions/${fork.sessionId}/transcript`);
  const said = json.items.map(({ content }: { content: { text: string }[] }) => content[0]?.text);
  expect(said.slice(0, 3)).toEqual(["the word is apple", "the word is apple", "what was it?"]);
  expect(said[3]).toContain("User: the word is apple\n\nAssistant: the word is apple");
  expect(said.slice(4)).toEqual(["thanks", "thanks"]);
  expect((await client.get(`/v1/sessions/${sessionId}/transcript`)).json.turns).toHaveLength(1);
});

describe("ending", () => {
  test("close leaves the session, which can be resumed", async () => {
    const client = await startTestClient();
    const editor = await open(client);
    const { sessionId } = await editor.newSession();
    const stopped = editor.prompt(sessionId, "slow 1000 20").catch((error) => error);
    await editor.until(() => editor.updates.length > 0);
    await editor.agent.request("session/close", { sessionId });
    expect(await stopped).toMatchObject({ code: -32603 });
    expect((await client.get(`/v1/sessions/${sessionId}`)).json).toMatchObject({ status: "idle" });
    await editor.agent.request("session/resume", { sessionId, cwd: "/tmp", mcpServers: [] });
    expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  });

  test("close of one client does not stop the reports of changed files for the others", async () => {
    const client = await startTestClient();
    const editor = await open(client);
    const directory = temporaryDirectory();
    const { sessionId } = await editor.agent.request("session/new", { cwd: directory, mcpServers: [] });
    await editor.prompt(sessionId, "hello");
    await editor.agent.request("session/close", { sessionId });
    await client.send(sessionId, "hang");
    writeFileSync(join(directory, "new.txt"), "1");
    const stream = await client.open(`/v1/sessions/${sessionId}/events/sse`);
    const frames = await stream.until(({ type }) => type === "file.changed");
    expect(frames.at(-1)?.event.data).toMatchObject({
      turn_id: "turn_2",
      changes: [{ path: "new.txt", kind: "created" }],
    });
    await stream.close();
  });

  test("delete removes it, also during a prompt", async () => {
    const client = await startTestClient();
    const editor = await open(client);
    const { sessionId } = await editor.newSession();
    const stopped = editor.prompt(sessionId, "slow 1000 20").catch((error) => error);
    await editor.until(() => editor.updates.length > 0);
    await editor.agent.request("session/delete", { sessionId });
    expect(await stopped).toMatchObject({ code: -32002 });
    expect((await client.get("/v1/sessions")).json.sessions).toEqual([]);
  });
});

describe("settings", () => {
  test("are changed by mode, by model and by option, and all clients are notified", async () => {
    const client = await startTestClient(
      {},
      agentsWithMock(() => ({
        models: async () => ({
          models: [{ id: "mock" }, { id: "mock-fast", variants: ["low", "high"] }],
          defaultModel: "mock",
        }),
      })),
    );
    const editor = await open(client);
    const { sessionId } = await editor.newSession();
    await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
    expect(editor.updates).toMatchObject([
      { sessionUpdate: "current_mode_update", currentModeId: "plan" },
      { sessionUpdate: "config_option_update" },
    ]);
    await editor.agent.request("session/set_model", { sessionId, modelId: "mock-fast" });
    const { configOptions } = await editor.agent.request("session/set_config_option", {
      sessionId,
      configId: "thought_level",
      value: "high",
    });
    expect(configOptions).toMatchObject([
      { id: "model", currentValue: "mock-fast" },
      { id: "mode", currentValue: "plan" },
      { id: "thought_level", currentValue: "high" },
      { id: "permission_mode", currentValue: "default" },
    ]);
    expect((await client.get(`/v1/sessions/${sessionId}`)).json).toMatchObject({
      agentMode: "plan",
      model: "mock-fast",
      variant: "high",
    });
    await client.patch(`/v1/sessions/${sessionId}`, { title: "Renamed" });
    await editor.until(() => kinds(editor.updates).includes("session_info_update"));
  });

  test.each([
    ["session/set_mode", { modeId: "fly" }],
    ["session/set_model", { modelId: "gpt-0" }],
    ["session/set_model", {}],
    ["session/set_config_option", { configId: "mode", value: "fly" }],
    ["session/set_config_option", { configId: "colour", value: "red" }],
    ["session/set_config_option", { configId: "mode", type: "boolean", value: true }],
  ])("%s rejects %o", async (method, params) => {
    const editor = await open(await startTestClient());
    const { sessionId } = await editor.newSession();
    await expect(editor.agent.request<unknown>(method, { sessionId, ...params })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("requests", () => {
  test("questions use the extension for clients that support it", async () => {
    const client = await startTestClient();
    const asked: unknown[] = [];
    const editor = await open(client, {
      capabilities: { _meta: { sandboxagent: { questions: true } } },
      onExtension: async (_, params) => {
        asked.push(params);
        return { answers: asked.length === 1 ? [["Blue"]] : null };
      },
    });
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "question");
    expect(asked).toMatchObject([
      { sessionId, questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] },
      { questions: [{ question: "Shall I go on?" }] },
    ]);
    expect(await resolutions(client, sessionId)).toEqual([
      ["answered", "Blue"],
      ["rejected", null],
    ]);
  });

  test("questions are choices for other clients", async () => {
    const client = await startTestClient();
    const editor = await open(client, {
      onPermission: async ({ options }) => select(options.at(-2)?.optionId ?? ""),
    });
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "question");
    expect(await resolutions(client, sessionId)).toEqual([
      ["answered", "Blue"],
      ["answered", "No"],
    ]);
  });

  test("a permission rejected for good is not requested again", async () => {
    const client = await startTestClient();
    let asked = 0;
    const editor = await open(client, {
      onPermission: async () => {
        asked += 1;
        return select("reject-always");
      },
    });
    const { sessionId } = await editor.newSession();
    for (const _ of [1, 2, 3]) await editor.prompt(sessionId, "permission1");
    expect(asked).toBe(1);
  });

  test("a permission allowed for good is not requested again", async () => {
    const client = await startTestClient();
    let asked = 0;
    const editor = await open(client, {
      onPermission: async () => {
        asked += 1;
        return select("allow-always");
      },
    });
    const { sessionId } = await editor.newSession();
    for (const _ of [1, 2, 3]) await editor.prompt(sessionId, "permission1");
    expect(asked).toBe(1);
  });

  test("a permission has a tool call with a start and an end", async () => {
    const client = await startTestClient();
    const editor = await open(client, {
      onPermission: async ({ toolCall }) => select(toolCall.kind === "execute" ? "allow-once" : "reject-once"),
    });
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "permission");
    const calls = editor.updates.flatMap((update) =>
      "toolCallId" in update ? [[update.toolCallId, update.status]] : [],
    );
    expect(calls.toSorted()).toEqual([
      ["mock_1_permission", "completed"],
      ["mock_1_permission", "pending"],
      ["mock_1_permission_denied", "failed"],
      ["mock_1_permission_denied", "pending"],
    ]);
  });
});

describe("an agent without credentials", () => {
  const locked = agentsWithMock(() => ({ inspect: async () => ({ installed: true, credentialsAvailable: false }) }));

  test("gets an error with instructions", async () => {
    const client = await startTestClient({}, locked);
    const { json } = await client.post("/v1/acp/one?agent=mock", {
      id: 0,
      method: "initialize",
      params: { protocolVersion: 1 },
    });
    expect(json.result.authMethods).toMatchObject([{ id: "machine", description: expect.stringContaining("API key") }]);
    const authenticate = (methodId: string) =>
      client.post("/v1/acp/one", { id: 1, method: "authenticate", params: { methodId } });
    expect((await authenticate("machine")).json.error).toMatchObject({ code: -32000 });
    expect((await authenticate("voodoo")).json.error).toMatchObject({ code: -32602 });
  });

  test("and one that has them is authenticated", async () => {
    const editor = await open(await startTestClient());
    expect(await editor.agent.request("authenticate", { methodId: "machine" })).toEqual({});
  });
});

test("agents are listed and installed by extension", async () => {
  const editor = await open(await startTestClient());
  expect(await editor.agent.request("_sandboxagent/agent/list")).toMatchObject({
    agents: expect.arrayContaining([expect.objectContaining({ id: "mock", installed: true })]),
  });
  expect(await editor.agent.request("_sandboxagent/agent/install", { agent: "mock" })).toEqual({});
  await expect(editor.agent.request("_sandboxagent/agent/install", { agent: "nobody" })).rejects.toMatchObject({
    code: -32602,
  });
});

async function resolutions(client: TestClient, sessionId: string): Promise<unknown[]> {
  const events = await client.events(sessionId);
  return events.flatMap((event) =>
    event.type === "question.resolved" ? [[event.data.status, event.data.response]] : [],
  );
}

test("an open request is sent to the client once, whatever happens in the session meanwhile", async () => {
  const client = await startTestClient();
  const asked: string[] = [];
  const answer = Promise.withResolvers<ReturnType<typeof select>>();
  const editor = await open(client, {
    async onPermission({ toolCall }) {
      asked.push(toolCall.toolCallId);
      return answer.promise;
    },
  });
  const { sessionId } = await editor.newSession();
  const prompt = editor.prompt(sessionId, "permission1");
  await client.wait(sessionId, "request");
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1);
  for (const text of ["left", "right"]) {
    await client.send(sessionId, text, { delivery: "steer" });
    await editor.until(() => editor.text("agent_message_chunk").includes(text));
  }
  expect(asked).toHaveLength(1);
  await client.post(`/v1/sessions/${sessionId}/permissions/mock_1_permission/reply`, { reply: "once" });
  expect(await prompt).toBe("end_turn");
  expect(asked).toHaveLength(1);
});
