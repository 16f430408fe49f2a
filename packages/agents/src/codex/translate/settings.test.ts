import { describe, expect, test } from "vitest";
import { unifiedDiff } from "./file-changes.ts";
import { mcpConfig } from "./mcp.ts";
import { collaborationMode, nativeSettings } from "./settings.ts";

const base = { agentMode: "build", permissionMode: "default", model: null, variant: null } as const;

describe("permission modes", () => {
  test.each([
    ["default", true, { granular: expect.anything() }, "read-only", undefined],
    ["default", false, "untrusted", "danger-full-access", undefined],
    ["acceptEdits", true, { granular: expect.anything() }, "workspace-write", undefined],
    ["acceptEdits", false, "untrusted", "danger-full-access", "once"],
    ["plan", true, { granular: expect.anything() }, "read-only", undefined],
    ["plan", false, "untrusted", "danger-full-access", "reject"],
    ["bypass", true, "never", "danger-full-access", undefined],
    ["bypass", false, "never", "danger-full-access", undefined],
  ] as const)("%s, sandbox %s", (permissionMode, sandboxWorks, approvalPolicy, sandbox, fileChanges) => {
    const settings = nativeSettings({ ...base, permissionMode }, sandboxWorks);
    expect(settings).toMatchObject({ approvalPolicy, sandbox });
    expect(settings.fileChanges).toBe(fileChanges);
  });

  test("planning wins over bypass", () => {
    expect(nativeSettings({ ...base, agentMode: "plan", permissionMode: "bypass" }, true).sandbox).toBe("read-only");
  });

  test.each([
    ["build", "default", "default"],
    ["plan", "default", "plan"],
    ["build", "plan", "plan"],
  ] as const)("%s with %s is Codex's %s", (agentMode, permissionMode, mode) => {
    expect(collaborationMode({ ...base, agentMode, permissionMode }, "m").mode).toBe(mode);
  });
});

describe("MCP servers", () => {
  test("local ones, with all their fields and aliases", () => {
    const config = mcpConfig({
      "my.files": {
        type: "stdio",
        command: ["npx", "files"],
        args: ["-v"],
        environment: { A: "1" },
        cwd: "/w",
        timeout: 1500,
        enabled: true,
      },
    });
    expect(config).toEqual({
      "mcp_servers.my_files": {
        command: "npx",
        args: ["files", "-v"],
        env: { A: "1" },
        cwd: "/w",
        tool_timeout_sec: 2,
        enabled: true,
      },
    });
  });

  test("remote ones, whose secrets are kept from commands", () => {
    const config = mcpConfig({
      web: {
        type: "http",
        url: "http://x/mcp",
        headers: { H: "1" },
        bearerTokenEnvVar: "TOKEN",
        envHttpHeaders: { "X-Key": "KEY" },
        oauth: { scope: "read write" },
      },
    });
    expect(config).toEqual({
      "mcp_servers.web": {
        url: "http://x/mcp",
        http_headers: { H: "1" },
        bearer_token_env_var: "TOKEN",
        env_http_headers: { "X-Key": "KEY" },
        scopes: ["read", "write"],
      },
      "shell_environment_policy.exclude": ["TOKEN", "KEY"],
    });
  });
});

describe("diffs", () => {
  test.each([
    ["add", "a\nb\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["delete", "a", "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n"],
    ["update", "@@ -1 +1 @@\n-a\n+b\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"],
  ] as const)("%s", (type, diff, unified) => {
    expect(unifiedDiff({ path: "f", kind: { type }, diff })).toBe(unified);
  });

  test("a move", () => {
    const diff = "@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: g";
    expect(unifiedDiff({ path: "f", kind: { type: "update", move_path: "g" }, diff })).toBe(
      "--- f\n+++ g\n@@ -1 +1 @@\n-a\n+b\n",
    );
  });
});
