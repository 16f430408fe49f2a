import { describe, expect, test } from "vitest";
import type { AgentEnvironment } from "../environment.ts";
import { credentialFor } from "./credential.ts";
import { launchEnvironment, mayBypass, sessionArguments } from "./launch.ts";

const installed = { agent: "claude", version: "2.1.197", path: "/bin/claude", command: ["/bin/claude"] };

function environmentWith(
  env: Record<string, string>,
  found: Partial<ReturnType<AgentEnvironment["credentials"]>> = {},
) {
  const environment: AgentEnvironment = {
    dataDir: "/data",
    env,
    installer: {
      find: async () => installed,
      install: async () => installed,
      require: async () => installed,
      onProgress: () => () => {},
    },
    credentials: () => ({ anthropic: null, openai: null, other: {}, ...found }),
    owner: "owner-1",
    idleMs: 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  };
  return environment;
}

const fromEnvironment = {
  anthropic: { provider: "anthropic", source: "environment", auth_type: "api_key", api_key: "k" },
} as const;
const nothing = { env: {}, credentials: {}, endpoints: {} };

describe("the environment", () => {
  test("holds no key, whatever the daemon's or the session's does", () => {
    const environment = environmentWith(
      { ANTHROPIC_API_KEY: "secret-1", OPENAI_API_KEY: "secret-2", SANDBOX_AGENT_TOKEN: "secret-3", HOME: "/home/u" },
      fromEnvironment,
    );
    const spec = { ...nothing, env: { CLAUDE_CODE_OAUTH_TOKEN: "secret-4", EXTRA: "kept" } };
    const env = launchEnvironment(spec, installed, credentialFor(spec, environment), environment);
    expect(JSON.stringify(env)).not.toContain("secret");
    expect(env).toMatchObject({
      HOME: "/home/u",
      EXTRA: "kept",
      SANDBOX_AGENT_OWNER: "owner-1",
      CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: "3",
    });
  });

  test("lets the user's own settings win, and the session's endpoint over all", () => {
    const environment = environmentWith({ CLAUDE_CODE_MAX_RETRIES: "9", ANTHROPIC_BASE_URL: "http://daemon" });
    const spec = { ...nothing, env: { ANTHROPIC_BASE_URL: "http://env" }, endpoints: { anthropic: "http://session" } };
    const env = launchEnvironment(spec, installed, null, environment);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: "9", ANTHROPIC_BASE_URL: "http://session" });
  });
});

describe("the credential", () => {
  test.each([
    ["the session's, before all", { credentials: { anthropic: "s" }, env: { ANTHROPIC_API_KEY: "e" } }, "key", "s"],
    ["a login of the session", { credentials: { anthropic: "sk-ant-oat01-x" } }, "login", "sk-ant-oat01-x"],
    ["the session's variable", { env: { CLAUDE_API_KEY: "e" } }, "key", "e"],
    ["a gateway's token", { env: { ANTHROPIC_AUTH_TOKEN: "g" } }, "gateway", "g"],
    ["the machine's", {}, "key", "k"],
  ])("is %s", (_, spec, kind, value) => {
    const environment = environmentWith({ ANTHROPIC_API_KEY: "k" }, fromEnvironment);
    expect(credentialFor({ ...nothing, ...spec }, environment)).toEqual({ kind, value });
  });

  test("of Claude Code's own configuration is left to it", () => {
    const anthropic = { ...fromEnvironment.anthropic, source: "claude-code" } as const;
    expect(credentialFor(nothing, environmentWith({}, { anthropic }))).toBeNull();
  });
});

test("arguments resume or create the session", () => {
  const settings = { agentMode: "poet", permissionMode: "bypass", model: "opus", variant: "high" } as const;
  const rights = { allowedTools: ["Bash(npm *)"], mayBypass: true };
  const options = { settings, permissionMode: "bypassPermissions", sessionId: "id", ...rights };
  expect(sessionArguments({ ...options, resume: true })).toEqual(
    expect.arrayContaining([
      "--resume=id",
      "--permission-mode=bypassPermissions",
      "--model=opus",
      "--effort=high",
      "--agent=poet",
      "--allowedTools=Bash(npm *)",
    ]),
  );
  expect(sessionArguments({ ...options, resume: false })).toContain("--session-id=id");
});

describe("bypassing permissions", () => {
  test.each([
    [{}, false, true],
    [{}, true, false],
    [{ IS_SANDBOX: "0" }, true, false],
    [{ IS_SANDBOX: "1" }, true, true],
    [{ IS_SANDBOX: "yes" }, true, true],
  ])("with %j and root %j is allowed: %j", (env, isRoot, allowed) => {
    expect(mayBypass(env, isRoot)).toBe(allowed);
  });

  test("a word for yes reaches Claude Code in the one form it knows", () => {
    const env = launchEnvironment(nothing, installed, null, environmentWith({ IS_SANDBOX: "yes" }));
    expect(env.IS_SANDBOX).toBe("1");
  });

  test("is not offered to Claude Code where it would refuse to start", () => {
    const settings = { agentMode: "build", permissionMode: "default", model: null, variant: null } as const;
    const options = { settings, permissionMode: "default", sessionId: "id", resume: false, allowedTools: [] };
    expect(sessionArguments({ ...options, mayBypass: false }).join(" ")).not.toContain("dangerously");
  });
});
