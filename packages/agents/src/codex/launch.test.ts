import { ProblemError } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import type { Credential } from "../credentials/credentials.ts";
import type { AgentEnvironment } from "../environment.ts";
import { type LaunchSpec, noOverrides, planLaunch } from "./launch.ts";

const codex = { agent: "codex", version: "1", path: "/bin/codex", command: ["/bin/codex"] };
const machineKey: Credential = {
  provider: "openai",
  source: "environment",
  auth_type: "api_key",
  api_key: "machine-key",
};

function environment(change: Partial<AgentEnvironment> = {}, openai: Credential | null = machineKey): AgentEnvironment {
  const unused = () => {
    throw new Error("not used");
  };
  return {
    dataDir: "/data",
    env: { HOME: "/home/user", PATH: "/bin" },
    installer: { find: unused, install: unused, require: unused, onProgress: unused },
    credentials: () => ({ anthropic: null, openai, other: {} }),
    owner: "owner-1",
    idleMs: 0,
    inherit: [],
    hide: () => {},
    log: () => {},
    ...change,
  };
}

function plan(spec: Partial<LaunchSpec>, within = environment()) {
  return planLaunch({ ...noOverrides, ...spec }, codex, within);
}

describe("the key", () => {
  test.each<[string, Partial<LaunchSpec>, string]>([
    [
      "of the session wins",
      { credentials: { openai: "session-key" }, env: { OPENAI_API_KEY: "variable" } },
      "session-key",
    ],
    ["may come as a variable of the session", { env: { OPENAI_API_KEY: "variable" } }, "variable"],
    ["of the machine comes last", {}, "machine-key"],
  ])("%s", (_, spec, key) => {
    expect(plan(spec).apiKey).toBe(key);
  });

  test("is neither on the command line nor in the environment", () => {
    const within = environment({
      env: { HOME: "/home/user", OPENAI_API_KEY: "machine-key", CODEX_API_KEY: "machine-key" },
    });
    const { command, env } = plan({ env: { OPENAI_API_KEY: "variable" } }, within);
    expect(JSON.stringify([command, env])).not.toMatch(/machine-key|variable/);
  });

  test("is kept out of files", () => {
    expect(plan({}).command).toContain('cli_auth_credentials_store="ephemeral"');
  });
});

describe("the home", () => {
  test("is the daemon's own with a key", () => {
    expect(plan({})).toMatchObject({ codexHome: "/data/codex", modelProvider: "openai" });
  });

  test("is the user's own without one, for the login that may be there", () => {
    expect(plan({}, environment({}, null))).toMatchObject({
      codexHome: "/home/user/.codex",
      apiKey: null,
      modelProvider: null,
    });
  });

  test("is the user's own for a login that is no key", () => {
    const login: Credential = { ...machineKey, source: "codex", auth_type: "oauth" };
    expect(plan({}, environment({}, login)).codexHome).toBe("/home/user/.codex");
  });
});

describe("the endpoint", () => {
  test.each<[string, Partial<LaunchSpec>, string]>([
    [
      "of the session wins",
      { endpoints: { openai: "http://a/v1" }, env: { OPENAI_BASE_URL: "http://b/v1" } },
      "http://a/v1",
    ],
    ["may come as a variable of the session", { env: { OPENAI_BASE_URL: "http://b/v1" } }, "http://b/v1"],
    ["of the daemon comes last", {}, "http://c/v1"],
  ])("%s", (_, spec, url) => {
    const within = environment({ env: { OPENAI_BASE_URL: "http://c/v1" } });
    const { command, modelProvider, env } = plan(spec, within);
    expect(command.join(" ")).toContain(`base_url="${url}"`);
    expect(modelProvider).toBe("sandbox-agent");
    expect(env).not.toHaveProperty("OPENAI_BASE_URL");
  });

  test.each(["no url", "http://user:secret@host/v1"])("%s is rejected", (openai) => {
    expect(() => plan({ endpoints: { openai } })).toThrow(ProblemError);
  });
});

test("processes carry the owner's mark and the session's variables", () => {
  expect(plan({ env: { MINE: "1" } }).env).toEqual({
    HOME: "/home/user",
    PATH: "/bin",
    MINE: "1",
    SANDBOX_AGENT_OWNER: "owner-1",
    CODEX_HOME: "/data/codex",
  });
});
