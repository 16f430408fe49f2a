/** Requests that make no sense: each gets the documented problem, and changes nothing. */
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem, faults } from "../harness/problem.ts";

describe("an unknown route", () => {
  test.each([
    ["GET", "/nothing"],
    ["POST", "/v1/nothing"],
    ["DELETE", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v1/sessions/"],
    ["GET", "/v1/sessions/a/b"],
    ["GET", "/v1/sessions/a/events/"],
    ["GET", "/V1/health"],
  ])("is a problem: %s %s", async (method, path) => {
    const client = await startTestClient();
    expectProblem(await client.call(method, path), "not_found", {
      detail: `not found: there is nothing at ${path}; see /docs`,
      instance: path,
    });
  });
});

describe("a wrong method", () => {
  test.each([
    ["POST", "/", "GET, HEAD"],
    ["POST", "/v1/health", "GET, HEAD"],
    ["PUT", "/v1/agents/mock/install", "POST"],
    ["DELETE", "/v1/sessions", "GET, HEAD"],
    ["PUT", "/v1/sessions/a", "POST, GET, PATCH, DELETE, HEAD"],
    ["GET", "/v1/sessions/a/messages", "POST"],
    ["GET", "/v1/sessions/a/messages/stream", "POST"],
    ["POST", "/v1/sessions/a/messages/msg_1", "DELETE"],
    ["POST", "/v1/sessions/a/events", "GET, HEAD"],
    ["HEAD", "/v1/sessions/a/events/sse", "GET"],
    ["POST", "/v1/events/sse", "GET"],
    ["OPTIONS", "/v1/sessions/a/abort", "POST"],
  ])("gets the allowed methods: %s %s", async (method, path, allow) => {
    const client = await startTestClient();
    const response = await client.fetch(method, path);
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  test("is a problem", async () => {
    const client = await startTestClient();
    expectProblem(await client.call("PUT", "/v1/sessions"), "method_not_allowed", {
      detail: "method not allowed: PUT is not possible here; use GET, HEAD",
      instance: "/v1/sessions",
    });
  });

  test.each(["/docs", "/ui"])("is a problem of the page %s too", async (path) => {
    const client = await startTestClient();
    expectProblem(await client.call("DELETE", path), "method_not_allowed");
  });
});

describe("a body that is not JSON", () => {
  test("is not sent back", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/sessions/x", "a".repeat(1_000_000));
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(1000);
  });

  test.each([
    ["cut off", '{"agent":"mock"'],
    ["plain text", "agent=mock"],
    ["nothing", ""],
    ["two values", "{}{}"],
    ["single quotes", "{'agent':'mock'}"],
    ["a comment", '{"agent":"mock"} // please'],
  ])("is a problem: %s", async (_, body) => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/sessions/a", body), "invalid_request", {
      detail: expect.stringMatching(/^invalid request: the body is not JSON: ./),
    });
  });

  test("is a problem when its bytes are not text", async () => {
    const client = await startTestClient();
    const body = new Uint8Array([0x22, 0xff, 0xfe, 0x22]);
    expectProblem(await client.post("/v1/sessions/a", body), "invalid_request");
  });

  test("is a problem however deep it is nested", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/sessions/a", "[".repeat(1_000_000)), "invalid_request");
  });
});

describe("a body of the wrong shape", () => {
  test.each([
    ["null", null, ""],
    ["a list", [], ""],
    ["a text", '"mock"', ""],
    ["no agent", {}, "agent"],
    ["an agent that is no text", { agent: 1 }, "agent"],
    ["an unknown permission mode", { agent: "mock", permissionMode: "maybe" }, "permissionMode"],
    ["a directory that is no text", { agent: "mock", directory: ["/"] }, "directory"],
    ["a directory without a name", { agent: "mock", directory: "" }, "directory"],
    ["an MCP server of no type", { agent: "mock", mcp: { x: { command: "x" } } }, "mcp.x.type"],
    ["an MCP server without a command", { agent: "mock", mcp: { x: { type: "local" } } }, "mcp.x.command"],
    [
      "an MCP server with an empty command",
      { agent: "mock", mcp: { x: { type: "local", command: [] } } },
      "mcp.x.command",
    ],
    ["an MCP server without a URL", { agent: "mock", mcp: { x: { type: "remote" } } }, "mcp.x.url"],
    ["skills without sources", { agent: "mock", skills: {} }, "skills.sources"],
    [
      "a skill source of an unknown type",
      { agent: "mock", skills: { sources: [{ type: "ftp", source: "x" }] } },
      "skills.sources.0.type",
    ],
  ])("names the field at fault: %s", async (_, body, at) => {
    const client = await startTestClient();
    const answer = await client.post("/v1/sessions/a", typeof body === "string" ? body : JSON.stringify(body));
    expectProblem(answer, "invalid_request", { details: faults("body", at) });
  });

  test("describes the error", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/sessions/a", {});
    expect(answer.json.detail).toMatch(/^invalid request: agent: ./);
  });

  test("creates nothing", async () => {
    const client = await startTestClient();
    await client.post("/v1/sessions/a", { agent: "mock", title: 1 });
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });
});

describe("a content type", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "json"])(
    "that is not JSON is a problem: %s",
    async (type) => {
      const client = await startTestClient();
      const answer = await client.post("/v1/sessions/a", '{"agent":"mock"}', { headers: { "content-type": type } });
      expectProblem(answer, "unsupported_media_type", {
        detail: `unsupported media type: content-type must be application/json, got ${type}`,
      });
    },
  );

  test("that is missing is a problem", async () => {
    const client = await startTestClient();
    const body = new TextEncoder().encode('{"agent":"mock"}');
    const response = await fetch(`${client.url}/v1/sessions/a`, { method: "POST", body });
    const answer = { status: response.status, headers: response.headers, json: await response.json() };
    expectProblem(answer, "unsupported_media_type", {
      detail: "unsupported media type: content-type must be application/json, none was given",
    });
  });

  test("is a matter of bodies only: without one, none is needed", async () => {
    const client = await startTestClient();
    const answer = await client.post("/v1/agents/mock/install");
    expect(answer.status).toBe(204);
  });

  test.each(["application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"])(
    "of JSON is fine in every spelling: %s",
    async (type) => {
      const client = await startTestClient();
      const answer = await client.post("/v1/sessions/a", '{"agent":"mock"}', { headers: { "content-type": type } });
      expect(answer.status).toBe(200);
    },
  );
});

test("a daemon that was sent nonsense still works", async () => {
  const client = await startTestClient();
  await client.post("/v1/sessions/a", "[".repeat(1_000_000));
  await client.post("/v1/sessions/%00", "{");
  await client.get("/v1/events/sse?offset=x");
  await client.create("a");
  const events = await client.stream("a", "hello");
  expect(events.at(-1)?.type).toBe("turn.ended");
});
