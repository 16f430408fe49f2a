/** CORS: off by default, and exactly as the four options define. */
import { defaultOptions } from "@sandbox-agent/daemon";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

type CorsOptions = typeof defaultOptions.cors;

const origin = "https://app.example.com";
const preflightHeaders = {
  origin,
  "access-control-request-method": "PATCH",
  "access-control-request-headers": "x-custom,content-type",
};

async function clientWith(cors: Partial<CorsOptions>, token: string | null = null): Promise<TestClient> {
  const { url } = await startTestDaemon({ token, cors: { ...defaultOptions.cors, ...cors } });
  return new TestClient(url);
}

/** The headers of an answer that concern CORS. */
function corsHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-allow") || name === "vary"),
  );
}

const vary = "origin, access-control-request-method, access-control-request-headers";

describe("by default", () => {
  test("no answer allows an origin", async () => {
    const client = await clientWith({});
    const { status, headers } = await client.get("/v1/health", { headers: { origin } });
    expect([status, corsHeaders(headers)]).toEqual([403, {}]);
  });

  test("a preflight is rejected", async () => {
    const client = await clientWith({});
    expectProblem(await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders }), "permission_denied");
  });
});

describe("an allowed origin", () => {
  test("is echoed", async () => {
    const client = await clientWith({ origins: ["https://other.example.com", origin] });
    const { headers } = await client.get("/v1/health", { headers: { origin } });
    expect(corsHeaders(headers)).toEqual({ "access-control-allow-origin": origin, vary });
  });

  test("may send credentials where that is allowed", async () => {
    const client = await clientWith({ origins: [origin], credentials: true });
    const { headers } = await client.get("/v1/health", { headers: { origin } });
    expect(corsHeaders(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      vary,
    });
  });

  test("may read the id of its message", async () => {
    const client = await clientWith({ origins: [origin] });
    const { headers } = await client.get("/v1/health", { headers: { origin } });
    expect(headers.get("access-control-expose-headers")).toBe(
      "x-message-id, last-event-id, sandbox-agent-log, etag, content-range",
    );
  });

  test("may read streams", async () => {
    const client = await clientWith({ origins: [origin] });
    const { response } = await client.open("/v1/events/sse", { headers: { origin } });
    expect(corsHeaders(response.headers)).toEqual({ "access-control-allow-origin": origin, vary });
  });

  test.each([
    ["an unknown route", "GET", "/nothing", 404],
    ["a wrong method", "PUT", "/v1/sessions", 405],
    ["a bad body", "POST", "/v1/sessions/a", 415],
  ])("may read the problem of %s", async (_, method, path, status) => {
    const client = await clientWith({ origins: [origin] });
    const answer = await client.call(method, path, { headers: { origin } });
    expect([answer.status, corsHeaders(answer.headers)]).toEqual([
      status,
      { "access-control-allow-origin": origin, vary },
    ]);
  });

  test("may read that its token is missing", async () => {
    const client = await clientWith({ origins: [origin] }, "secret");
    const { status, headers } = await client.get("/v1/sessions", { headers: { origin } });
    expect([status, corsHeaders(headers)]).toEqual([401, { "access-control-allow-origin": origin, vary }]);
  });
});

describe("an unlisted origin", () => {
  test.each([
    ["another host", "https://evil.example.com"],
    ["another scheme", "http://app.example.com"],
    ["another port", `${origin}:8080`],
    ["a host that begins alike", `${origin}.evil.com`],
    ["no origin at all", undefined],
  ])("is not allowed: %s", async (_, other) => {
    const client = await clientWith({ origins: [origin], credentials: true });
    const { headers } = await client.get("/v1/health", { headers: other ? { origin: other } : {} });
    expect(corsHeaders(headers)).toEqual({ vary });
  });

  test("is not allowed by a preflight either", async () => {
    const client = await clientWith({ origins: [origin], credentials: true });
    const headers = { ...preflightHeaders, origin: "https://evil.example.com" };
    const answer = await client.call("OPTIONS", "/v1/sessions", { headers });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a preflight", () => {
  test("gets the listed methods and headers", async () => {
    const client = await clientWith({
      origins: [origin],
      methods: ["GET", "POST"],
      headers: ["content-type", "authorization"],
    });
    const { status, headers } = await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders });
    expect([status, corsHeaders(headers)]).toEqual([
      200,
      {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET,POST",
        "access-control-allow-headers": "content-type,authorization",
        vary,
      },
    ]);
  });

  test("may use any method and header where none is listed", async () => {
    const client = await clientWith({ origins: [origin] });
    const { headers } = await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders });
    expect(corsHeaders(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "*",
      "access-control-allow-headers": "*",
      vary,
    });
  });

  test("with credentials gets its own wishes back instead of a star", async () => {
    const client = await clientWith({ origins: [origin], credentials: true });
    const { headers } = await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders });
    expect(corsHeaders(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "PATCH",
      "access-control-allow-headers": "x-custom,content-type",
      "access-control-allow-credentials": "true",
      vary,
    });
  });

  test("with credentials gets the listed methods and headers", async () => {
    const client = await clientWith({
      origins: [origin],
      methods: ["GET", "POST"],
      headers: ["content-type"],
      credentials: true,
    });
    const { headers } = await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders });
    expect(corsHeaders(headers)).toMatchObject({
      "access-control-allow-methods": "GET,POST",
      "access-control-allow-headers": "content-type",
    });
  });

  test("needs no token", async () => {
    const client = await clientWith({ origins: [origin] }, "secret");
    const { status } = await client.call("OPTIONS", "/v1/sessions", { headers: preflightHeaders });
    expect(status).toBe(200);
  });

  test.each(["/", "/v1/sessions/a%2Fb/messages/stream", "/nothing"])("is answered at %s", async (path) => {
    const client = await clientWith({ origins: [origin] });
    const { status } = await client.call("OPTIONS", path, { headers: preflightHeaders });
    expect(status).toBe(200);
  });

  test("is more than OPTIONS alone", async () => {
    const client = await clientWith({ origins: [origin] });
    expectProblem(await client.call("OPTIONS", "/v1/sessions", { headers: { origin } }), "method_not_allowed");
  });
});
