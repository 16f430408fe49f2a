import { afterAll, describe, expect, test } from "vitest";
import { cli } from "../test/cli-process.ts";

/** Answers every request with a description of it. */
const echo = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    return Response.json({
      method: request.method,
      url: pathname + search,
      authorization: request.headers.get("authorization"),
      body: await request.text(),
    });
  },
});
afterAll(() => echo.stop(true));

const endpoint = echo.url.origin;

async function echoed(args: string[], env: Record<string, string> = {}): Promise<unknown> {
  const { code, stdout, stderr } = await cli(args, { env: { SANDBOX_AGENT_ENDPOINT: endpoint, ...env } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("a request", () => {
  test("has percent-encoded ids and only the given query", async () => {
    const seen = await echoed(["api", "sessions", "events", "a/b ü", "-o", "5", "--include-raw"]);
    expect(seen).toMatchObject({ method: "GET", url: "/v1/sessions/a%2Fb%20%C3%BC/events?offset=5&include_raw=true" });
  });

  test("keeps the path of the endpoint, with or without a trailing slash", async () => {
    const seen = await echoed(["api", "version", "--endpoint", `${endpoint}/proxy/`]);
    expect(seen).toMatchObject({ url: "/proxy/v1/version" });
  });

  test("uses no proxy for loopback addresses", async () => {
    const proxies = { http_proxy: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
    expect(await echoed(["api", "version"], proxies)).toMatchObject({ url: "/v1/version" });
  });

  test("takes an option value that looks like another option", async () => {
    const seen = await echoed(["sessions", "update", "s", "-m", "-t", "--title", "--no-token"]);
    expect(seen).toMatchObject({ body: '{"model":"-t","title":"--no-token"}' });
  });

  test("removes a title with an empty one", async () => {
    const seen = await echoed(["sessions", "update", "s", "--title", "", "-m", "big"]);
    expect(seen).toMatchObject({ method: "PATCH", body: '{"model":"big","title":null}' });
  });
});

describe("the token", () => {
  const list = ["api", "sessions", "list"];
  test.each<[string, string[], Record<string, string>, string | null]>([
    ["is absent by default", list, {}, null],
    ["comes from the environment", list, { SANDBOX_AGENT_TOKEN: "env" }, "Bearer env"],
    ["comes before the command", ["-t", "T", ...list], { SANDBOX_AGENT_TOKEN: "env" }, "Bearer T"],
    ["comes inside the command", ["api", "--token", "T", "sessions", "list"], {}, "Bearer T"],
    ["comes after the command", [...list, "--token", "T"], { SANDBOX_AGENT_TOKEN: "env" }, "Bearer T"],
    ["is the last one on the command line", ["-t", "first", ...list, "-t", "last"], {}, "Bearer last"],
    ["is left out by -n before the command", ["-n", ...list], { SANDBOX_AGENT_TOKEN: "env" }, null],
    ["is left out by --no-token after it", ["-t", "T", ...list, "--no-token"], {}, null],
  ])("%s", async (_, args, env, authorization) => {
    expect(await echoed(args, env)).toMatchObject({ authorization });
  });
});
