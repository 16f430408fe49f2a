/** The log of a running daemon: a line for each request, nothing secret in it, and the causes that are not sent to clients. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { agentsWithMock, startTestClient, temporaryDirectory } from "../harness/daemon.ts";

interface Line {
  level: string;
  message: string;
  path?: string;
  [field: string]: unknown;
}

interface Logged {
  client: TestClient;
  text(): string;
  lines(): Line[];
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A daemon that is started with these variables. */
async function startLogged(
  environment: Record<string, string> = {},
  options: Parameters<typeof startTestClient>[0] = {},
  agents?: Parameters<typeof startTestClient>[1],
): Promise<Logged> {
  const dataDir = temporaryDirectory();
  for (const [name, value] of Object.entries({ SANDBOX_AGENT_LOG: "info", ...environment })) vi.stubEnv(name, value);
  const client = await startTestClient({ dataDir, ...options }, agents);
  const directory = environment.SANDBOX_AGENT_LOG_DIR ?? join(dataDir, "logs");
  const text = () => readFileSync(join(directory, "sandbox-agent.log"), "utf8");
  const lines = () =>
    text()
      .trim()
      .split("\n")
      .map((line): Line => JSON.parse(line));
  return { client, text, lines };
}

describe("a request", () => {
  test("is a line with its method, path, status and time, without the query", async () => {
    const { client, lines } = await startLogged();
    await client.get("/v1/sessions/none/events?offset=3");
    expect(lines().at(-1)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: "info",
      message: "request",
      method: "GET",
      path: "/v1/sessions/none/events",
      status: 404,
      milliseconds: expect.any(Number),
    });
  });

  test("leaves no token, wherever it carries it", async () => {
    const token = "token-nobody-may-see";
    const { client, text, lines } = await startLogged({ SANDBOX_AGENT_LOG_HTTP_HEADERS: "1" }, { token });
    await client.get("/v1/sessions?access_token=token-nobody-may-see", {
      headers: { cookie: "a=token-nobody-may-see", "x-other": "my token-nobody-may-see, too" },
    });
    expect(lines().at(-1)).toMatchObject({
      status: 200,
      headers: { authorization: "[redacted]", cookie: "[redacted]", "x-other": "my [redacted], too" },
    });
    expect(text()).not.toContain("nobody-may-see");
  });

  test("is not logged with SANDBOX_AGENT_LOG_HTTP=0; the rest is", async () => {
    const { client, lines } = await startLogged({ SANDBOX_AGENT_LOG_HTTP: "0" });
    await client.get("/v1/sessions");
    expect(lines().map(({ message }) => message)).toEqual(["started"]);
  });

  test("is logged in SANDBOX_AGENT_LOG_DIR", async () => {
    const { client, lines } = await startLogged({ SANDBOX_AGENT_LOG_DIR: temporaryDirectory() });
    await client.get("/v1/sessions");
    expect(lines().at(-1)).toMatchObject({ message: "request", path: "/v1/sessions" });
  });

  test("whose client disconnects before its body is complete is not a failure of the daemon", async () => {
    const { client, lines } = await startLogged();
    await sendHalf(client, "/v1/sessions/half");
    const logged = () => lines().filter(({ path }) => path === "/v1/sessions/half");
    await vi.waitUntil(() => logged().length > 0, { timeout: 60_000, interval: 20 });
    expect(logged()).toMatchObject([{ level: "info", message: "request", status: 400 }]);
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });
});

test("the keys of sessions are not in the log, wherever they appear", async () => {
  const { client, text, lines } = await startLogged({ SANDBOX_AGENT_LOG_HTTP_HEADERS: "1" });
  await client.create("a", {
    credentials: { anthropic: "key-nobody-may-see" },
    env: { MY_TOKEN: "env-nobody-may-see" },
  });
  await client.get("/v1/sessions", { headers: { "x-other": "key-nobody-may-see, env-nobody-may-see" } });
  expect(lines().at(-1)).toMatchObject({ headers: { "x-other": "[redacted], [redacted]" } });
  expect(text()).not.toContain("nobody-may-see");
});

test("internal errors are logged, not sent to the client", async () => {
  const agents = agentsWithMock(() => ({ models: () => Promise.reject(new Error("the cause nobody foresaw")) }));
  const { client, lines } = await startLogged({ SANDBOX_AGENT_LOG: "error" }, {}, agents);
  const { status, text } = await client.get("/v1/agents/mock/models");
  expect(status).toBe(500);
  expect(text).not.toContain("foresaw");
  expect(lines()).toMatchObject([
    { level: "error", path: "/v1/agents/mock/models", error: { message: "the cause nobody foresaw" } },
  ]);
});

/** Sends the head of a request and the first byte of its body, then is gone. */
function sendHalf({ url }: TestClient, path: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const head = [`POST ${path} HTTP/1.1`, `host: ${hostname}`, "content-type: application/json", "content-length: 100"];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(`${head.join("\r\n")}\r\n\r\n{`));
    socket.once("close", () => resolve());
    socket.once("error", reject);
  });
}
