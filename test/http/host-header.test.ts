/** Requests with a missing or invalid Host header: the response does not depend on it. */
import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";

/** The status line of the answer to a request with exactly this head. */
function statusLine(url: string, ...head: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n`));
    socket.once("data", (data) => {
      resolve(data.toString().split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe("a request of HTTP/1.0 without a Host header, as load balancers send it,", () => {
  test("is answered", async () => {
    const { url } = await startTestClient();
    expect(await statusLine(url, "GET /v1/health HTTP/1.0")).toBe("HTTP/1.1 200 OK");
  });

  test("is answered while requests are logged", async () => {
    vi.stubEnv("SANDBOX_AGENT_LOG", "info");
    const { url } = await startTestClient({ dataDir: temporaryDirectory() });
    vi.unstubAllEnvs();
    expect(await statusLine(url, "GET /v1/health HTTP/1.0")).toBe("HTTP/1.1 200 OK");
  });

  test("gets the problem it deserves", async () => {
    const { url } = await startTestClient();
    expect(await statusLine(url, "GET /nothing HTTP/1.0")).toBe("HTTP/1.1 404 Not Found");
  });

  test("is asked for its token", async () => {
    const { url } = await startTestClient({ token: "secret" });
    expect(await statusLine(url, "GET /v1/events/sse?access_token=wrong HTTP/1.0")).toBe("HTTP/1.1 401 Unauthorized");
  });
});

describe("a request with a Host that is none", () => {
  test.each(["%%%", "a:b:c", "[::"])(
    "is refused without a token, and needs it where there is one: %s",
    async (host) => {
      const { url } = await startTestClient();
      expect(await statusLine(url, "GET /nothing HTTP/1.1", `Host: ${host}`)).toBe("HTTP/1.1 403 Forbidden");
      const { url: protectedUrl } = await startTestClient({ token: "secret" });
      const head = ["GET /nothing HTTP/1.1", `Host: ${host}`, "Authorization: Bearer secret"];
      expect(await statusLine(protectedUrl, ...head)).toBe("HTTP/1.1 404 Not Found");
    },
  );
});
