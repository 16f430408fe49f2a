/** Failures between a client, the ACP API and an agent: each has a defined outcome. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RequestPermissionOutcome } from "@agentclientprotocol/sdk/unstable";
import { describe, expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { processesWith } from "../harness/processes.ts";
import { readRaw } from "../harness/raw-reader.ts";
import { httpStream, openEditor, select, socketStream, socketUrl, startAcpCommand } from "./lab.ts";

const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };

async function initialized(): Promise<TestClient> {
  const client = await startTestClient();
  await client.post("/v1/acp/one?agent=mock", hello);
  return client;
}

const post = async (client: TestClient, message: Record<string, unknown>) =>
  (await client.post("/v1/acp/one", { jsonrpc: "2.0", ...message })).json;

async function newSession(client: TestClient): Promise<string> {
  const params = { cwd: temporaryDirectory(), mcpServers: [] };
  return (await post(client, { id: "new", method: "session/new", params })).result.sessionId;
}

const promptOf = (sessionId: string, text: string) => ({
  id: "prompt",
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] },
});

describe("an invalid request", () => {
  test.each([
    [{ id: 1, method: "session/fly", params: {} }, -32601],
    [{ id: 1, method: "_vendor/thing", params: {} }, -32601],
    [{ id: 1, method: "session/prompt" }, -32602],
    [{ id: 1, method: "session/prompt", params: { sessionId: 5, prompt: [] } }, -32602],
    [{ id: 1, method: "session/prompt", params: [1, 2] }, -32602],
    [{ id: 1, method: "session/prompt", params: { sessionId: "x", prompt: [{ type: "smell" }] } }, -32602],
    [{ id: 1, method: "session/prompt", params: { sessionId: "x", prompt: [] } }, -32002],
  ])("gets a JSON-RPC error: %o", async (message, code) => {
    const answer = await post(await initialized(), message);
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code, message: expect.any(String) } });
  });

  test("before initialize is rejected", async () => {
    const client = await startTestClient();
    const { json } = await client.post("/v1/acp/one?agent=mock", { id: 1, method: "session/list", params: {} });
    expect(json).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  test("with an empty prompt is rejected", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    expect(await post(client, promptOf(sessionId, "  "))).toMatchObject({
      error: { code: -32602, message: "the prompt is empty" },
    });
  });

  test("with the id of a running one is rejected; the first is answered", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const first = post(client, promptOf(sessionId, "permission1"));
    await client.wait(sessionId, "request");
    const again = await client.post("/v1/acp/one", { id: "prompt", method: "session/list", params: {} });
    expectProblem(again, "invalid_request", { detail: expect.stringContaining('id "prompt" is running') });
    await post(client, { id: 2, method: "session/close", params: { sessionId } });
    expect(await first).toMatchObject({ id: "prompt" });
  });

  test("for a second turn of a session is rejected, whichever client started the first", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    await client.send(sessionId, "permission1");
    await client.wait(sessionId, "request");
    expect(await post(client, promptOf(sessionId, "hello"))).toMatchObject({ error: { code: -32600 } });
    await client.post(`/v1/sessions/${sessionId}/abort`);
    expect(await post(client, promptOf(sessionId, "hello"))).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

describe("over a WebSocket", () => {
  async function open(client: TestClient): Promise<{ socket: WebSocket; next(): Promise<unknown> }> {
    const socket = new WebSocket(socketUrl(client, "socket"));
    onTestFinished(() => socket.close());
    const heard: unknown[] = [];
    let waiting: (() => void) | null = null;
    socket.addEventListener("message", ({ data }) => {
      heard.push(JSON.parse(String(data)));
      waiting?.();
    });
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const next = async () => {
      while (heard.length === 0) await new Promise<void>((resolve) => (waiting = resolve));
      return heard.shift();
    };
    return { socket, next };
  }

  test.each([
    ["not JSON", -32700],
    ["[]", -32600],
    [JSON.stringify([hello]), -32600],
    ["{}", -32600],
    ['"text"', -32600],
    ['{"id":{},"method":"initialize"}', -32600],
  ])("an invalid message gets an error without an id: %s", async (text, code) => {
    const { socket, next } = await open(await startTestClient());
    socket.send(text);
    expect(await next()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
    socket.send(JSON.stringify(hello));
    expect(await next()).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
  });

  test("an id that is taken, an agent that does not exist and a missing token are rejected", async () => {
    const client = await startTestClient({ token: "secret" });
    await client.post("/v1/acp/taken?agent=mock", hello);
    const upgrade = { upgrade: "websocket", connection: "upgrade", "sec-websocket-version": "13" };
    const headers = { ...upgrade, "sec-websocket-key": "x3JJHMbDL1EzLkh9GBhXDw==" };
    const status = async (path: string) => (await client.fetch("GET", path, { headers })).status;
    expect(await status("/v1/acp/taken/socket?agent=mock")).toBe(409);
    expect(await status("/v1/acp/free/socket?agent=nobody")).toBe(400);
    expect(await status("/v1/acp/free/socket")).toBe(400);
    expectProblem(await client.get("/v1/acp/free/socket?agent=mock"), "invalid_request");
    expect((await fetch(`${client.url}/v1/acp/free/socket?agent=mock`, { headers })).status).toBe(401);
    expect((await client.get("/v1/acp")).json.servers).toMatchObject([{ serverId: "taken" }]);
  });

  test("a client that disconnects ends its server and its turn", async () => {
    const client = await startTestClient();
    const editor = await openEditor(socketStream(client, "socket"));
    const { sessionId } = await editor.newSession();
    void editor.prompt(sessionId, "slow 1000 20").catch(() => {});
    await editor.until(() => editor.updates.length > 0);
    editor.close();
    await client.wait(sessionId, "idle");
    const end = (await client.events(sessionId)).findLast(({ type }) => type === "turn.ended");
    expect(end?.data).toMatchObject({ metadata: { reason: "aborted" } });
    expect((await client.get("/v1/acp")).json.servers).toEqual([]);
  });
});

describe("two clients", () => {
  test("may answer the same permission: the first wins, the other gets an error", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const turn = post(client, promptOf(sessionId, "permission1"));
    await client.wait(sessionId, "request");
    const answer = (optionId: string) => ({ jsonrpc: "2.0", id: 0, result: { outcome: select(optionId) } });
    expect((await client.post("/v1/acp/one", answer("reject-once"))).status).toBe(202);
    const second = await client.post("/v1/acp/one", answer("allow-once"));
    expect(second.json).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("resolved before") },
    });
    expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
    const resolved = (await client.events(sessionId)).filter(({ type }) => type === "permission.resolved");
    expect(resolved.map(({ data }) => data)).toMatchObject([{ status: "denied" }]);
  });

  test("on two servers: a request that one answers is withdrawn from the other", async () => {
    const client = await startTestClient();
    const late = Promise.withResolvers<RequestPermissionOutcome>();
    const withdrawn = Promise.withResolvers<void>();
    const slow = await openEditor(socketStream(client, "slow"), {
      onPermission: (_, signal) => {
        signal.addEventListener("abort", () => withdrawn.resolve());
        return late.promise;
      },
    });
    const { sessionId } = await slow.newSession();
    const quick = await openEditor(httpStream(client, "quick"), { onPermission: async () => select("allow-once") });
    await quick.agent.request("session/resume", { sessionId, cwd: "/tmp", mcpServers: [] });
    expect(await slow.prompt(sessionId, "permission1")).toBe("end_turn");
    await withdrawn.promise;
    late.resolve(select("reject-once"));
    expect(await slow.prompt(sessionId, "hello")).toBe("end_turn");
    const resolved = (await client.events(sessionId)).filter(({ type }) => type === "permission.resolved");
    expect(resolved.map(({ data }) => data)).toMatchObject([{ status: "approved" }]);
  });

  test("of two APIs: a reply by REST resolves a request that ACP has sent", async () => {
    const client = await startTestClient();
    const asked = Promise.withResolvers<void>();
    const editor = await openEditor(socketStream(client, "editor"), {
      onPermission: (_, signal) =>
        new Promise((resolve) => {
          asked.resolve();
          signal.addEventListener("abort", () => resolve({ outcome: "cancelled" }));
        }),
    });
    const { sessionId } = await editor.newSession();
    const turn = editor.prompt(sessionId, "permission1");
    await asked.promise;
    const reply = `/v1/sessions/${sessionId}/permissions/mock_1_permission/reply`;
    expect((await client.post(reply, { reply: "once" })).status).toBe(204);
    expect(await turn).toBe("end_turn");
    expectProblem(await client.post(reply, { reply: "once" }), "invalid_request", { sessionId });
  });

  test("a client that cannot answer does not block the agent", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const turn = post(client, promptOf(sessionId, "permission1"));
    await client.wait(sessionId, "request");
    await client.post("/v1/acp/one", { id: 0, error: { code: -32601, message: "what is a permission?" } });
    expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

describe("an agent that crashes", () => {
  test("is reported before its prompt fails, and restarts with the next", async () => {
    const client = await startTestClient();
    const editor = await openEditor(socketStream(client, "editor"));
    const { sessionId } = await editor.newSession();
    await expect(editor.prompt(sessionId, "crash")).rejects.toMatchObject({
      code: -32603,
      message: "the mock agent crashed",
      data: { type: "agent_process_exited", agent: "mock", exitCode: 1 },
    });
    expect(editor.notifications).toMatchObject([
      { method: "_adapter/agent_exited", params: { success: false, code: 1 } },
    ]);
    expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  });

  test("after an error fails the prompt", async () => {
    const editor = await openEditor(socketStream(await startTestClient(), "editor"));
    const { sessionId } = await editor.newSession();
    await expect(editor.prompt(sessionId, "error")).rejects.toMatchObject({
      code: -32603,
      message: "mock error",
      data: { type: "mock_error", details: { mock: true } },
    });
  });
});

const cli = join(import.meta.dirname, "../../packages/cli/src/main.ts");

describe("closing a server during a turn", () => {
  test("answers the prompt", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const turn = post(client, promptOf(sessionId, "permission1"));
    await client.wait(sessionId, "request");
    await client.delete("/v1/acp/one");
    expect(await turn).toMatchObject({ id: "prompt", error: { code: -32603, message: "the ACP server was closed" } });
    await client.wait(sessionId, "idle");
  });

  test("responds immediately; the agent's processes end, the session stays", async () => {
    // The agent is a separate process: this program, serving the mock of another daemon.
    const far = await startTestClient();
    const client = await startTestClient();
    const args = [cli, "acp", "--agent", "mock", "--endpoint", far.url];
    await client.call("PUT", "/v1/agents/far", { body: { command: process.execPath, args } });
    const editor = await openEditor(httpStream(client, "editor", "far"));
    const { sessionId } = await editor.newSession();
    const stopped = editor.prompt(sessionId, "slow 1000 20").catch((error) => error);
    await editor.until(() => editor.text("agent_message_chunk").includes("word 1"));
    // The process that listed the agent's modes is closed a little later.
    await expect.poll(() => processesWith(far.url), { timeout: 15_000 }).toHaveLength(1);

    expect((await client.delete("/v1/acp/editor")).status).toBe(204);
    expect(await stopped).toBeInstanceOf(Error);
    expect((await client.get("/v1/acp")).json.servers).toEqual([]);
    while (processesWith(far.url).length > 0) await Bun.sleep(20);
    while ((await far.get("/v1/acp")).json.servers.length > 0) await Bun.sleep(20);
    expect((await client.get(`/v1/sessions/${sessionId}`)).json).toMatchObject({ status: "idle" });

    const next = await openEditor(httpStream(client, "next", "far"));
    await next.agent.request("session/load", { sessionId, cwd: temporaryDirectory(), mcpServers: [] });
    expect(await next.prompt(sessionId, "hello again")).toBe("end_turn");
  });
});

describe("a slow reader", () => {
  test("does not delay others, and misses nothing that is stored", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const [slow, quick] = [readRaw(client.url, "/v1/acp/one"), readRaw(client.url, "/v1/acp/one")];
    await Promise.all([slow.reached(2), quick.reached(2)]);
    slow.pause();
    const last = 2 + 50_000 + 1;
    expect(await post(client, promptOf(sessionId, "burst 50000"))).toMatchObject({
      result: { stopReason: "end_turn" },
    });
    await quick.reached(last);
    expect(slow.events).toBeLessThan(last);
    slow.resume();
    await slow.reached(last);
    slow.close();
    quick.close();
  });
});

describe("a daemon", () => {
  test("that stops sends an error to waiting clients", async () => {
    const daemon = await startTestDaemon();
    const client = new TestClient(daemon.url);
    const editor = await openEditor(socketStream(client, "editor"));
    const { sessionId } = await editor.newSession();
    const turn = editor.prompt(sessionId, "slow 1000 20").catch((error) => error);
    await editor.until(() => editor.updates.length > 0);
    await daemon.stop();
    expect(await turn).toMatchObject({ code: -32603, message: "the turn was interrupted" });
  });

  test("that is killed loses its servers; the next one loads the sessions", async () => {
    const dataDir = temporaryDirectory();
    const first = await spawnDaemon(dataDir);
    const client = new TestClient(first.url);
    const editor = await openEditor(socketStream(client, "editor"));
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "remember me");
    void editor.prompt(sessionId, "slow 1000 20").catch(() => {});
    await editor.until(() => editor.text("agent_message_chunk").includes("word 1"));
    first.kill("SIGKILL");
    await first.exited;

    const again = new TestClient((await spawnDaemon(dataDir)).url);
    expect((await again.get("/v1/acp")).json.servers).toEqual([]);
    const later = await openEditor(socketStream(again, "editor"));
    await later.agent.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] });
    expect(later.text("agent_message_chunk")).toContain("remember me");
    expect(await later.prompt(sessionId, "hello")).toBe("end_turn");
  });
});

describe("`sandbox-agent acp`", () => {
  test("carries a message of ten megabytes, and an image", async () => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    const editor = await openEditor(startAcpCommand(client).stream);
    const { sessionId } = await editor.newSession();
    const long = "x".repeat(10_000_000);
    expect(await editor.prompt(sessionId, long)).toBe("end_turn");
    expect(editor.text("agent_message_chunk") === long).toBe(true);

    const image = { type: "image", data: Buffer.from("pixels").toString("base64"), mimeType: "image/png" } as const;
    await editor.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "see" }, image] });
    const { json } = await client.get(`/v1/sessions/${sessionId}/transcript`);
    const { path } = json.items.at(-2).content[1];
    expect(path.startsWith(dataDir) && existsSync(path)).toBe(true);
  });

  test("ends with its editor, and its server with it", async () => {
    const client = await startTestClient();
    const { child, stream } = startAcpCommand(client);
    const editor = await openEditor(stream);
    const { sessionId } = await editor.newSession();
    void editor.prompt(sessionId, "slow 1000 20").catch(() => {});
    await editor.until(() => editor.updates.length > 0);
    child.stdin.end();
    expect(await child.exited).toBe(0);
    await client.wait(sessionId, "idle");
    expect((await client.get("/v1/acp")).json.servers).toEqual([]);
  });

  test("fails with a message when the agent does not exist, or the daemon is gone", async () => {
    const daemon = await startTestDaemon();
    const client = new TestClient(daemon.url);
    const wrong = startAcpCommand(client, "nobody").child;
    expect(await wrong.exited).toBe(1);
    expect(await new Response(wrong.stderr).text()).toContain("unsupported_agent");

    const { child, stream } = startAcpCommand(client);
    await openEditor(stream);
    await daemon.stop();
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toContain("the daemon closed the connection");
  });
});
