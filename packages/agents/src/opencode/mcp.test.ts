import { expect, test } from "vitest";
import { mcpConfig } from "./mcp.ts";

test("a local server, by any of its names", () => {
  expect(
    mcpConfig(
      {
        one: { type: "local", command: "program", args: ["a"], env: { A: "1" }, cwd: "/x", timeoutMs: 1500.5 },
        two: {
          type: "stdio",
          command: ["program", "a"],
          args: ["b"],
          environment: { A: "1" },
          timeout: 7,
          enabled: false,
        },
      },
      {},
    ),
  ).toEqual({
    one: { type: "local", command: ["program", "a"], environment: { A: "1" }, cwd: "/x", timeout: 1501 },
    two: { type: "local", command: ["program", "a", "b"], environment: { A: "1" }, timeout: 7, enabled: false },
  });
});

test("a remote server, with headers and a token from the environment", () => {
  const env = { TOKEN: "t", TENANT: "acme" };
  expect(
    mcpConfig(
      {
        one: { type: "remote", url: "http://m", headers: { A: "1" }, bearerTokenEnvVar: "TOKEN", oauth: false },
        two: { type: "http", url: "http://m", envHeaders: { "x-tenant": "TENANT", "x-none": "NOTHING" } },
        three: { type: "http", url: "http://m", envHttpHeaders: { "x-tenant": "TENANT" }, oauth: { clientId: "c" } },
      },
      env,
    ),
  ).toEqual({
    one: { type: "remote", url: "http://m", headers: { A: "1", Authorization: "Bearer t" }, oauth: false },
    two: { type: "remote", url: "http://m", headers: { "x-tenant": "acme" } },
    three: { type: "remote", url: "http://m", headers: { "x-tenant": "acme" }, oauth: { clientId: "c" } },
  });
});
