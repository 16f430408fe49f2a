/** Web pages of other origins: all their requests are rejected, unless CORS allows the origin. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultOptions } from "@sandbox-agent/daemon";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "../harness/browser.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const token = "the-token-of-the-daemon-itself-000";
const friend = "https://friend.example";
const cors = { ...defaultOptions.cors, origins: [friend] };

type Headers = Record<string, string>;

async function statusOf(url: string, method: string, path: string, headers: Headers): Promise<number> {
  const { status } = await new TestClient(url).call(method, path, { headers });
  return status;
}

const foreign: [string, Headers][] = [
  ["another origin", { origin: "https://evil.example" }],
  ["another port of this machine", { origin: "http://127.0.0.1:1" }],
  ["localhost instead of the address", { origin: "http://localhost" }],
  ["a page in a sandbox or a file", { origin: "null" }],
  ["an extension", { origin: "chrome-extension://abcdefghijklmnop" }],
  ["several origins", { origin: "https://friend.example, https://evil.example" }],
  ["an origin that begins alike", { origin: `${friend}.evil.example` }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["the same site", { "sec-fetch-site": "same-site" }],
  ["another site that navigates", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
];

describe.each([
  ["without a token", { cors }, {}],
  ["with a token", { cors, token }, { authorization: `Bearer ${token}` }],
])("%s", (_, options, authorization: Headers) => {
  test.each(foreign)("a request of %s is rejected everywhere, with a body or without", async (_name, headers) => {
    const { url } = await startTestDaemon(options);
    const requests = [
      ["GET", "/v1/sessions"],
      ["GET", "/v1/health"],
      ["GET", "/session"],
      ["POST", "/pty"],
      ["POST", "/opencode/pty"],
      ["POST", "/v1/sessions/a/abort"],
      ["POST", "/ui/"],
      ["DELETE", "/v1/sessions/a"],
    ];
    const statuses = await Promise.all(
      requests.map(([method = "", path = ""]) => statusOf(url, method, path, { ...authorization, ...headers })),
    );
    expect(statuses).toEqual(requests.map(() => 403));
  });

  test.each<[string, Headers]>([
    ["an allowed origin", { origin: friend }],
    ["an allowed origin, as browsers send it", { origin: friend, "sec-fetch-site": "cross-site" }],
    ["a page of the daemon behind a proxy that changes Host", { origin: "https://x", "sec-fetch-site": "same-origin" }],
    ["a person who typed the address", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["the fetch of Node", { "sec-fetch-mode": "cors" }],
    ["a program that is no browser", {}],
  ])("a request of %s is served", async (_name, headers) => {
    const { url } = await startTestDaemon(options);
    expect(await statusOf(url, "GET", "/v1/sessions", { ...authorization, ...headers })).toBe(200);
  });

  test("a page of the daemon is served, also behind a proxy that ends TLS", async () => {
    const { url } = await startTestDaemon({ ...options, allowHosts: ["box.example"] });
    const { host } = new URL(url);
    const same: Headers[] = [
      { host, origin: `http://${host}` },
      { host: "box.example", origin: "https://box.example" },
      { host: "Box.example:443", origin: "https://box.example" },
      { host: "box.example:8443", origin: "https://box.example:8443" },
    ];
    for (const headers of same)
      expect(await statusOf(url, "GET", "/v1/sessions", { ...authorization, ...headers })).toBe(200);
  });

  test("links lead to the pages of the daemon", async () => {
    const { url } = await startTestDaemon(options);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const path of ["/", "/ui", "/ui/", "/ui/sessions/a", "/docs"])
      expect(await statusOf(url, "GET", path, link)).toBe(200);
    const script = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    for (const path of ["/", "/ui/", "/docs"]) expect(await statusOf(url, "GET", path, script)).toBe(403);
  });
});

test("any origin is served where all are allowed", async () => {
  const { url } = await startTestDaemon({ token, cors: { ...cors, origins: ["*"] } });
  const headers = { origin: "https://any.example", "sec-fetch-site": "cross-site", authorization: `Bearer ${token}` };
  expect(await statusOf(url, "GET", "/v1/sessions", headers)).toBe(200);
});

test("the refusal names the flag", async () => {
  const { url } = await startTestDaemon();
  const answer = await new TestClient(url).get("/v1/sessions", { headers: { origin: "https://app.example" } });
  expectProblem(answer, "permission_denied");
  expect(answer.json.detail).toContain("--cors-allow-origin https://app.example");
});

describe("in a browser", () => {
  // Worst case: a browser without permission prompts for requests to the local network.
  const browser = sharedBrowser([
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
    "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
  ]);

  async function openPage(html = "<title>evil</title>") {
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.route("http://evil.example/", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto("http://evil.example/");
    return page;
  }

  test("forms without fields change nothing", async () => {
    const { url } = await startTestDaemon();
    const client = new TestClient(url);
    await client.create("a");
    const directory = join(temporaryDirectory(), "made");
    const targets = [
      `/pty?directory=${encodeURIComponent(temporaryDirectory())}`,
      `/v1/fs/mkdir?path=${encodeURIComponent(directory)}`,
      "/v1/sessions/a/abort",
      "/v1/sessions/a/fork",
      "/v1/sessions/a/terminate",
      "/v1/sessions/a/checkpoints/cp_1/restore",
      "/v1/agents/mock/install",
      "/v1/tokens",
    ];
    const forms = targets.map(
      (target, index) =>
        `<iframe name="frame${index}"></iframe>
         <form method="post" action="${url}${target}" target="frame${index}"><button>${index}</button></form>`,
    );
    const page = await openPage(forms.join(""));
    const statuses: number[] = [];
    for (const [index, target] of targets.entries()) {
      const answer = page.waitForResponse((response) => response.url() === url + target);
      await page.getByRole("button", { name: String(index), exact: true }).click();
      statuses.push((await answer).status());
    }
    expect(statuses).toEqual(targets.map(() => 403));
    expect(existsSync(directory)).toBe(false);
    expect((await client.get("/v1/processes")).json.processes).toEqual([]);
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toMatchObject([{ sessionId: "a", ended: false }]);
  }, 60_000);

  test("requests whose answer is not read change nothing", async () => {
    const { url } = await startTestDaemon();
    const directory = join(temporaryDirectory(), "made");
    const page = await openPage();
    await page.evaluate(
      ([base, path]) => fetch(`${base}/v1/fs/mkdir?path=${path}`, { method: "POST", mode: "no-cors" }),
      [url, encodeURIComponent(directory)],
    );
    expect(existsSync(directory)).toBe(false);
  }, 60_000);

  test.each([null, token])(
    "no WebSocket is opened, with the token %s",
    async (given) => {
      const { url } = await startTestDaemon({ token: given });
      const page = await openPage();
      const outcome = await page.evaluate(
        (address) =>
          new Promise((resolve) => {
            const socket = new WebSocket(address);
            socket.onopen = () => resolve("open");
            socket.onerror = () => resolve("refused");
          }),
        `${url.replace("http", "ws")}/v1/acp/a/socket?agent=mock${given ? `&access_token=${given}` : ""}`,
      );
      expect(outcome).toBe("refused");
      expect((await new TestClient(url, given).get("/v1/acp")).json.servers).toEqual([]);
    },
    60_000,
  );

  test("a page that opens the inspector gets no hold of its window", async () => {
    const { url } = await startTestDaemon();
    const page = await openPage(`<button onclick="opened = window.open('${url}/ui/')">open</button>`);
    const popup = page.waitForEvent("popup");
    await page.getByRole("button").click();
    await (await popup).getByText("No sessions yet").waitFor();
    await page.waitForFunction("opened.closed");
  }, 60_000);

  test("a link to the inspector works", async () => {
    const { url } = await startTestDaemon();
    const page = await openPage(`<a href="${url}/ui/">the inspector</a>`);
    await page.getByText("the inspector").click();
    await page.getByText("No sessions yet").waitFor();
  }, 60_000);
});
