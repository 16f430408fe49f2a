/** The wire contract of `/v1/acp`: status codes, envelopes, frames, replay, problems. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";
import { readFrames, type SseFrame } from "../harness/sse.ts";
import { socketUrl } from "./lab.ts";

const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };

async function initialized(): Promise<TestClient> {
  const client = await startTestClient();
  await client.post("/v1/acp/one?agent=mock", hello);
  return client;
}

async function newSession(client: TestClient, id: string | number = "new"): Promise<string> {
  const params = { cwd: temporaryDirectory(), mcpServers: [] };
  const { json } = await client.post("/v1/acp/one", { jsonrpc: "2.0", id, method: "session/new", params });
  return json.result.sessionId;
}

function promptOf(sessionId: string, text: string, id: string | number = "prompt") {
  return { jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } };
}

async function openStream(client: TestClient, headers: Record<string, string> = {}): Promise<AsyncGenerator<SseFrame>> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await client.fetch("GET", "/v1/acp/one", {
    headers: { accept: "text/event-stream", ...headers },
    signal: stop.signal,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return readFrames(response);
}

async function take(frames: AsyncGenerator<SseFrame>, count: number): Promise<SseFrame[]> {
  const taken: SseFrame[] = [];
  while (taken.length < count) {
    const { value, done } = await frames.next();
    if (done) throw new Error(`the stream ended after ${taken.length} frames`);
    taken.push(value);
  }
  return taken;
}

describe("a message", () => {
  test("with a request is answered with its response", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/acp/one?agent=mock", hello);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.json).toMatchObject({
      jsonrpc: "2.0",
      id: 0,
      result: {
        protocolVersion: 1,
        agentInfo: { name: "mock" },
        agentCapabilities: {
          loadSession: true,
          sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, delete: {} },
        },
        authMethods: [],
      },
    });
  });

  test("may omit jsonrpc, and may have any id", async () => {
    const client = await initialized();
    for (const id of ["7", 7, null, 1.5]) {
      const { json } = await client.post("/v1/acp/one", { id, method: "session/list", params: {} });
      expect(json).toEqual({ jsonrpc: "2.0", id, result: { sessions: [] } });
    }
  });

  test.each([
    { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "none" } },
    { jsonrpc: "2.0", method: "never/heard/of" },
    { jsonrpc: "2.0", id: 99, result: {} },
    { jsonrpc: "2.0", id: "never-asked", error: { code: -32601, message: "what?" } },
  ])("without a response is accepted: %o", async (message) => {
    const client = await initialized();
    const response = await client.fetch("POST", "/v1/acp/one", { body: message });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([202, null, ""]);
  });

  test("continues when its connection breaks; the response is on the stream", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const gone = new AbortController();
    const frames = await openStream(client, { "last-event-id": "2" });
    const posted = client.fetch("POST", "/v1/acp/one", { body: promptOf(sessionId, "slow 5 20"), signal: gone.signal });
    await take(frames, 1);
    gone.abort();
    await expect(posted).rejects.toThrow();
    const rest = await take(frames, 5);
    expect(JSON.parse(rest.at(-1)?.data ?? "")).toEqual({
      jsonrpc: "2.0",
      id: "prompt",
      result: { stopReason: "end_turn" },
    });
  });
});

describe("rejected requests", () => {
  test("a first message without agent", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/acp/one", hello), "invalid_request", {
      detail: "invalid request: missing required 'agent' query parameter for first POST to /v1/acp/one",
    });
    expect((await client.get("/v1/acp")).json).toEqual({ servers: [] });
  });

  test("an agent that does not exist", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/acp/one?agent=nobody", hello), "unsupported_agent", { agent: "nobody" });
    expect((await client.get("/v1/acp")).json).toEqual({ servers: [] });
  });

  test("another agent for the same server", async () => {
    const client = await initialized();
    await client.call("PUT", "/v1/agents/other", { body: { command: process.execPath } });
    const answer = await client.post("/v1/acp/one?agent=other", hello);
    expectProblem(answer, "conflict", { details: { message: 'ACP server "one" runs mock, not other' } });
    expect((await client.post("/v1/acp/one?agent=mock", { ...hello, id: 1 })).status).toBe(200);
  });

  test.each([[[]], [[hello]], ["text"], [7], [null]])("a body that is not an object: %o", async (body) => {
    const client = await initialized();
    const answer = await client.post("/v1/acp/one", JSON.stringify(body));
    expectProblem(answer, "invalid_request", {
      detail: expect.stringContaining("must be a JSON-RPC object; batches are not supported"),
      details: faults("body", ""),
    });
  });

  test.each([
    [{}, ""],
    [{ jsonrpc: "2.0" }, ""],
    [{ id: 1 }, ""],
    [{ result: {} }, ""],
    [{ id: 1, result: {}, error: { code: 1, message: "both" } }, ""],
    [{ id: 1, method: "initialize", result: {} }, ""],
    [{ jsonrpc: "1.0", id: 1, method: "initialize" }, "jsonrpc"],
    [{ id: {}, method: "initialize" }, "id"],
    [{ id: 1, method: 5 }, "method"],
    [{ id: 1, error: "no" }, "error"],
  ])("an object that is not JSON-RPC: %o", async (body, path) => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/acp/one?agent=mock", body), "invalid_request", {
      details: faults("body", path),
    });
    expect((await client.get("/v1/acp")).json).toEqual({ servers: [] });
  });

  test("a body that is not JSON, or has another content type", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/acp/one?agent=mock", "{"), "invalid_request");
    const headers = { "content-type": "text/plain" };
    expectProblem(await client.post("/v1/acp/one?agent=mock", hello, { headers }), "unsupported_media_type");
  });

  test.each(["POST", "GET"])("an Accept header that %s cannot satisfy", async (method) => {
    const client = await initialized();
    const response = await client.fetch(method, "/v1/acp/one", {
      headers: { accept: "text/html" },
      ...(method === "POST" && { body: hello }),
    });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ type: "urn:sandbox-agent:error:not_acceptable" });
  });

  test("the stream of a server that does not exist", async () => {
    const client = await startTestClient();
    expectProblem(await client.get("/v1/acp/one"), "session_not_found", { sessionId: "one" });
  });

  test.each(["-1", "x", "1.5"])("a Last-Event-ID %s", async (id) => {
    const client = await initialized();
    expectProblem(await client.get("/v1/acp/one", { headers: { "last-event-id": id } }), "invalid_request", {
      detail: "invalid request: Last-Event-ID must be a positive integer",
    });
  });

  test("any request without the token", async () => {
    const client = await startTestClient({ token: "secret" });
    for (const [method, path] of [
      ["GET", "/v1/acp"],
      ["POST", "/v1/acp/one?agent=mock"],
      ["GET", "/v1/acp/one"],
      ["DELETE", "/v1/acp/one"],
    ])
      expect((await fetch(client.url + path, { method })).status).toBe(401);
  });
});

describe("the stream", () => {
  test("has all messages of the server, responses included, numbered from 1", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    await client.post("/v1/acp/one", promptOf(sessionId, "hello"));
    const frames = await take(await openStream(client), 4);
    expect(frames.map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
    expect(frames.map(({ data }) => JSON.parse(data))).toMatchObject([
      { id: 0, result: { protocolVersion: 1 } },
      { id: "new", result: { sessionId } },
      { method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk" } } },
      { id: "prompt", result: { stopReason: "end_turn" } },
    ]);
  });

  test("continues after Last-Event-ID, and waits if that is in the future", async () => {
    const client = await initialized();
    const later = await openStream(client, { "last-event-id": "2" });
    await newSession(client, 1);
    await newSession(client, 2);
    expect((await take(later, 1)).map(({ id }) => id)).toEqual(["3"]);
    expect((await take(await openStream(client, { "last-event-id": "2" }), 1)).map(({ id }) => id)).toEqual(["3"]);
  });

  test("serves any number of readers, also after one disconnects", async () => {
    const client = await initialized();
    const [one, two, three] = [await openStream(client), await openStream(client), await openStream(client)];
    await take(two, 1);
    await two.return(undefined);
    await newSession(client);
    expect(await take(one, 2)).toEqual(await take(three, 2));
  });

  test("has every update before the answer to the prompt arrives", async () => {
    const client = await initialized();
    const sessionId = await newSession(client);
    const frames = await openStream(client);
    const answered = client.post("/v1/acp/one", promptOf(sessionId, "burst 3000"));
    const seen = await take(frames, 2 + 3000 + 1);
    expect(JSON.parse(seen.at(-1)?.data ?? "")).toMatchObject({ id: "prompt" });
    expect((await answered).json).toEqual(JSON.parse(seen.at(-1)?.data ?? ""));
  });

  test("ends when the server is closed", async () => {
    const client = await initialized();
    const frames = await openStream(client);
    await take(frames, 1);
    await client.delete("/v1/acp/one");
    expect(await frames.next()).toMatchObject({ done: true });
  });
});

describe("servers", () => {
  test("are listed in the order of their ids", async () => {
    const client = await startTestClient();
    const before = Date.now();
    for (const id of ["b", "a%2F%C3%A9"]) await client.post(`/v1/acp/${id}?agent=mock`, hello);
    const { json } = await client.get("/v1/acp");
    expect(json.servers).toEqual([
      { serverId: "a/é", agent: "mock", createdAtMs: expect.any(Number) },
      { serverId: "b", agent: "mock", createdAtMs: expect.any(Number) },
    ]);
    expect(json.servers[0].createdAtMs).toBeGreaterThanOrEqual(before);
  });

  test("can be closed repeatedly, also if they never existed", async () => {
    const client = await initialized();
    for (const id of ["one", "one", "never"]) expect((await client.delete(`/v1/acp/${id}`)).status).toBe(204);
    expectProblem(await client.get("/v1/acp/one"), "session_not_found", { sessionId: "one" });
  });

  test("free their id for the next one, which starts at 1", async () => {
    const client = await initialized();
    await newSession(client);
    await client.delete("/v1/acp/one");
    await client.post("/v1/acp/one?agent=mock", hello);
    expect((await take(await openStream(client), 1)).map(({ id }) => id)).toEqual(["1"]);
  });

  test("without use are closed after a while; those with a reader are not", async () => {
    const client = await startTestClient({ acpIdleMs: 100 });
    const socket = new WebSocket(socketUrl(client, "kept"));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    await client.post("/v1/acp/left?agent=mock", hello);
    while ((await client.get("/v1/acp")).json.servers.length > 1) await Bun.sleep(20);
    expect((await client.get("/v1/acp")).json.servers).toMatchObject([{ serverId: "kept" }]);
    socket.close();
  });
});
