/** The token: where it is needed, how it may be given, and what happens without it. */
import { type Operation, operations } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const token = "correct-horse";

/** A client that sends no token unless a test adds one. */
async function stranger(): Promise<TestClient> {
  const { url } = await startTestDaemon({ token });
  return new TestClient(url);
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const authorization = (value: string) => ({ headers: { authorization: value } });

describe("a right token", () => {
  test.each([
    `Bearer ${token}`,
    `bearer ${token}`,
    `BEARER ${token}`,
    `Token ${token}`,
    `token ${token}`,
    `Basic ${base64(`user:${token}`)}`,
    `Basic ${base64(`:${token}`)}`,
    `Basic ${base64(token)}`,
    `basic ${base64(`user:${token}`)}`,
    `BASIC ${base64(`user:${token}`)}`,
  ])("is accepted: %s", async (value) => {
    const client = await stranger();
    const answer = await client.get("/v1/sessions", authorization(value));
    expect(answer.status).toBe(200);
  });

  test("may contain a colon, in Basic too", async () => {
    const { url } = await startTestDaemon({ token: "a:b" });
    const answer = await new TestClient(url).get("/v1/sessions", authorization(`Basic ${base64("user:a:b")}`));
    expect(answer.status).toBe(200);
  });
});

describe("a wrong token", () => {
  test.each([
    ["of the same length", "Bearer correct-hoarse".slice(0, 7 + token.length)],
    ["shorter", "Bearer c"],
    ["longer", `Bearer ${token}${token}`],
    ["that begins with the right one", `Bearer ${token}x`],
    ["in the wrong case", `Bearer ${token.toUpperCase()}`],
    ["as Token", "Token wrong"],
    ["as password", `Basic ${base64("user:wrong")}`],
    ["as user", `Basic ${base64(`${token}:wrong`)}`],
    ["that is not even Base64", "Basic ***"],
  ])("is rejected: %s", async (_, value) => {
    const client = await stranger();
    expectProblem(await client.get("/v1/sessions", authorization(value)), "token_invalid", {
      detail: "token invalid: the token is wrong",
      details: { message: "the token is wrong" },
    });
  });
});

describe("no token", () => {
  const message = "a token is required: send it as `Authorization: Bearer <token>`";

  test.each([
    ["no header", {}],
    ["an empty header", authorization("")],
    ["a scheme without a token", authorization("Bearer")],
    ["a token without a scheme", authorization(token)],
    ["a scheme nobody knows", authorization(`Digest ${token}`)],
  ])("is rejected: %s", async (_, options) => {
    const client = await stranger();
    expectProblem(await client.get("/v1/sessions", options), "token_invalid", {
      detail: `token invalid: ${message}`,
      details: { message },
    });
  });

  test("gets instructions to authenticate", async () => {
    const client = await stranger();
    const { headers } = await client.get("/v1/sessions");
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  const protectedOnes = Object.entries<Operation>(operations).filter(([, operation]) => operation.scopes !== null);

  test.each(protectedOnes)("is rejected by %s", async (_, { method, path }) => {
    const client = await stranger();
    const answer = await client.call(method, path.replaceAll(/\{\w+\}/g, "x"));
    expect(answer.status).toBe(401);
  });

  test("is rejected before any other check", async () => {
    const client = await stranger();
    const answer = await client.call("PUT", "/v1/sessions/%00", { body: "{" });
    expect(answer.status).toBe(401);
  });

  test("creates nothing", async () => {
    const client = await stranger();
    await client.create("a");
    const { json } = await client.get("/v1/sessions", authorization(`Bearer ${token}`));
    expect(json.sessions).toEqual([]);
  });

  test.each(["/", "/v1/health", "/docs", "/ui", "/ui/"])("is needed for %s", async (path) => {
    const client = await stranger();
    const answer = await client.get(path);
    expect(answer.status).toBe(200);
  });

  test.each(["/nothing", "/v1/nothing"])("is needed to learn that there is nothing at %s", async (path) => {
    const client = await stranger();
    expectProblem(await client.get(path), "not_found");
  });
});

describe("a daemon without a token", () => {
  test("is open", async () => {
    const { url } = await startTestDaemon();
    const answer = await new TestClient(url).get("/v1/sessions");
    expect(answer.status).toBe(200);
  });

  test("minds no token either", async () => {
    const { url } = await startTestDaemon();
    const answer = await new TestClient(url, "whatever").get("/v1/sessions");
    expect(answer.status).toBe(200);
  });
});

describe("a token in the query", () => {
  test.each(["/v1/events/sse", "/v1/sessions/a/events/sse"])("is taken for the stream %s", async (path) => {
    const client = await stranger();
    await client.post("/v1/sessions/a", { agent: "mock" }, authorization(`Bearer ${token}`));
    const { response } = await client.open(`${path}?access_token=${token}`);
    expect(response.status).toBe(200);
  });

  test("must be right", async () => {
    const client = await stranger();
    const answer = await client.get("/v1/events/sse?access_token=wrong");
    expectProblem(answer, "token_invalid", { details: { message: "the token is wrong" } });
  });

  test("does not make up for a wrong one in the header", async () => {
    const client = await stranger();
    const answer = await client.get(`/v1/events/sse?access_token=${token}`, authorization("Bearer wrong"));
    expect(answer.status).toBe(401);
  });

  test.each([
    ["GET", "/v1/sessions"],
    ["GET", "/v1/sessions/a"],
    ["GET", "/v1/sessions/a/events"],
    ["POST", "/v1/sessions/a"],
    ["POST", "/v1/sessions/a/messages"],
    ["POST", "/v1/sessions/a/messages/stream"],
    ["DELETE", "/v1/sessions/a"],
    ["POST", "/v1/events/sse"],
  ])("is not taken for %s %s", async (method, path) => {
    const client = await stranger();
    const answer = await client.call(method, `${path}?access_token=${token}`);
    expect(answer.status).toBe(401);
  });
});
