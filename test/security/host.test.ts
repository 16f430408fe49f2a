/** DNS rebinding: without a token only the names that the daemon is known by are served. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "../harness/browser.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { statusOf } from "../harness/raw-request.ts";

const token = "the-token-of-the-daemon-itself-000";

function statusFor(url: string, host: string): Promise<number> {
  return statusOf(url, "GET /v1/sessions HTTP/1.1", `Host: ${host}`);
}

describe("without a token", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1:2468",
    "localhost",
    "LOCALHOST:80",
    "localhost.:2468",
    "daemon.localhost:2468",
    "[::1]:2468",
    "[::ffff:127.0.0.1]",
    "192.168.1.5:2468",
    "",
  ])("%j is served", async (host) => {
    const { url } = await startTestDaemon();
    expect(await statusFor(url, host)).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:2468",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io:2468",
    "evillocalhost",
    "evil.example.",
    "localhost@evil.example",
    "localhost/evil.example",
    "localhost,evil.example",
    "localhost evil.example",
    "[::1].evil.example",
    "[evil.example]",
    "localhost:80:evil",
    "2130706433",
    "0x7f.1",
    ".",
  ])("%j is rejected", async (host) => {
    const { url } = await startTestDaemon();
    expect(await statusFor(url, host)).toBe(403);
  });

  test("two Host headers are rejected if one of them is foreign", async () => {
    const { url } = await startTestDaemon();
    const head = ["GET /v1/sessions HTTP/1.1", "Host: localhost", "Host: evil.example"];
    expect(await statusOf(url, ...head)).toBe(403);
  });

  test.each([
    "/",
    "/v1/health",
    "/ui/",
    "/docs",
    "/v1/sessions",
    "/session",
    "/opencode/session",
    "/v1/acp",
    "/nothing",
  ])("%s is rejected", async (path) => {
    const { url } = await startTestDaemon();
    expect(await statusOf(url, `GET ${path} HTTP/1.1`, "Host: evil.example")).toBe(403);
  });

  test("a WebSocket is rejected", async () => {
    const { url } = await startTestDaemon();
    const head = [
      "GET /v1/acp/a/socket?agent=mock HTTP/1.1",
      "Host: evil.example",
      "Origin: http://evil.example",
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    expect(await statusOf(url, ...head)).toBe(403);
  });

  test("the refusal names the flag, which works", async () => {
    const { url } = await startTestDaemon();
    const answer = await new TestClient(url).get("/v1/sessions", { headers: { host: "Box.example:80" } });
    expectProblem(answer, "permission_denied");
    expect(answer.json.detail).toContain("--allow-host box.example");
    const { url: other } = await startTestDaemon({ allowHosts: ["Box.example", "second.example"] });
    expect(await statusFor(other, "box.EXAMPLE:2468")).toBe(200);
    expect(await statusFor(other, "second.example")).toBe(200);
    expect(await statusFor(other, "third.example")).toBe(403);
  });

  test("the name of --host is served", async () => {
    const { url } = await startTestDaemon({ host: "localhost" });
    expect(await statusFor(url, "localhost")).toBe(200);
  });

  test("a CORS origin does not make its host known", async () => {
    const cors = { origins: ["*"], methods: [], headers: [], credentials: false };
    const { url } = await startTestDaemon({ cors });
    expect(await statusFor(url, "evil.example")).toBe(403);
    const preflight = ["OPTIONS /v1/sessions HTTP/1.1", "Host: evil.example", "Origin: http://evil.example"];
    expect(await statusOf(url, ...preflight, "Access-Control-Request-Method: POST")).toBe(403);
  });
});

test("with a token any host is served, and authorizes nothing", async () => {
  const { url } = await startTestDaemon({ token });
  expect(await statusFor(url, "preview-2468.provider.example")).toBe(401);
  const head = ["GET /v1/sessions HTTP/1.1", "Host: preview-2468.provider.example", `Authorization: Bearer ${token}`];
  expect(await statusOf(url, ...head)).toBe(200);
});

test("rejected requests are in the audit log, a limited number of them", async () => {
  const { url } = await startTestDaemon();
  const client = new TestClient(url);
  await client.get("/v1/sessions");
  for (let count = 0; count < 50; count++) await statusFor(url, "evil.example");
  const { json } = await client.get("/v1/audit?limit=1000");
  const refused = json.entries.filter(({ status }: { status: number }) => status === 403);
  expect(refused).toHaveLength(20);
  expect(refused[0]).toMatchObject({ principal: null, method: "GET", path: "/v1/sessions", address: "127.0.0.1" });
});

describe("a web page whose name leads to this machine", () => {
  // Worst case: a browser without permission prompts for requests to the local network.
  const browser = sharedBrowser([
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
    "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
  ]);

  async function openPage(daemonUrl: string) {
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const origin = `http://evil.example:${new URL(daemonUrl).port}`;
    // The attacker's own server answers first; then the name leads to the daemon.
    await page.route(`${origin}/start`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>evil</title>" }),
    );
    await page.goto(`${origin}/start`);
    return { page, origin };
  }

  test("cannot run a command", async () => {
    const { url } = await startTestDaemon();
    const { page, origin } = await openPage(url);
    const file = join(temporaryDirectory(), "attacked");
    const answers = await page.evaluate(
      async ([base, path]) => {
        const run = await fetch(`${base}/v1/processes/run`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ command: "touch", args: [path] }),
        });
        const read = await fetch(`${base}/v1/sessions`);
        const health = await fetch(`${base}/v1/health`);
        return [run.status, read.status, health.status];
      },
      [origin, file],
    );
    expect(answers).toEqual([403, 403, 403]);
    expect(existsSync(file)).toBe(false);
  }, 60_000);

  test("cannot open a WebSocket", async () => {
    const { url } = await startTestDaemon();
    const { page, origin } = await openPage(url);
    const outcome = await page.evaluate(
      (base) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${base.replace("http", "ws")}/v1/acp/a/socket?agent=mock`);
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        }),
      origin,
    );
    expect(outcome).toBe("refused");
    expect((await new TestClient(url).get("/v1/acp")).json.servers).toEqual([]);
  }, 60_000);
});
