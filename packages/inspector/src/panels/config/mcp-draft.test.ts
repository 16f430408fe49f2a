import type { McpServerConfig } from "sandbox-agent";
import { describe, expect, test } from "vitest";
import { configOf, draftOf, emptyDraft } from "./mcp-draft.ts";

describe("an MCP server in a form", () => {
  test("is unchanged by a round trip, including hidden settings and redacted secrets", () => {
    const local: McpServerConfig = {
      type: "local",
      command: "npx",
      args: ["-y", "server-everything", "a b"],
      env: { TOKEN: "<redacted>", EQUATION: "a=b" },
      cwd: "/srv",
      enabled: false,
      timeoutMs: 5000,
    };
    expect(configOf(draftOf(local), local)).toEqual(local);

    const remote: McpServerConfig = {
      type: "remote",
      url: "https://mcp.example/sse",
      headers: { authorization: "<redacted>", "x-when": "12:30" },
      oauth: false,
      transport: "sse",
      enabled: true,
    };
    expect(configOf(draftOf(remote), remote)).toEqual(remote);
  });

  test("a command as a list, and `environment` instead of `env`", () => {
    const before: McpServerConfig = { type: "stdio", command: ["npx", "-y"], args: ["x"], environment: { A: "1" } };
    expect(configOf(draftOf(before), before)).toEqual({
      type: "local",
      command: "npx",
      args: ["-y", "x"],
      env: { A: "1" },
      enabled: true,
    });
  });

  test("a local server that becomes remote keeps no local settings", () => {
    const before: McpServerConfig = { type: "local", command: "npx", cwd: "/srv" };
    expect(configOf({ ...emptyDraft, type: "remote", url: "http://127.0.0.1:1/mcp" }, before)).toEqual({
      type: "remote",
      url: "http://127.0.0.1:1/mcp",
      headers: {},
      enabled: true,
    });
  });
});
