import { expect, test } from "vitest";
import type { Credentials } from "../credentials/credentials.ts";
import type { AgentEnvironment } from "../environment.ts";
import { type LaunchOverrides, launchFor, noOverrides } from "./launch.ts";

const keys: Credentials = {
  anthropic: { provider: "anthropic", source: "environment", auth_type: "api_key", api_key: "machine-anthropic" },
  openai: { provider: "openai", source: "codex", auth_type: "oauth", api_key: "login-token" },
  other: { groq: { provider: "groq", source: "opencode", auth_type: "api_key", api_key: "from-its-own-file" } },
};

function launch(overrides: Partial<LaunchOverrides> = {}, env: Record<string, string> = {}, models: string[] = []) {
  const environment: AgentEnvironment = {
    dataDir: "/data",
    env,
    installer: {
      find: async () => null,
      install: () => Promise.reject(new Error("not here")),
      require: () => Promise.reject(new Error("not here")),
      onProgress: () => () => {},
    },
    credentials: () => keys,
    owner: "me",
    idleMs: 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  };
  const result = launchFor(
    { command: ["opencode"] },
    environment,
    { ...noOverrides, ...overrides },
    { shell: "/sh", models },
  );
  return { ...result, config: JSON.parse(result.env.OPENCODE_CONFIG_CONTENT ?? "{}") };
}

test("sessions that want nothing special share a server", () => {
  expect(launch().key).toBe(launch().key);
});

test.each<[string, Partial<LaunchOverrides>]>([
  ["keys", { credentials: { anthropic: "other-key" } }],
  ["endpoints", { endpoints: { anthropic: "http://127.0.0.1:1" } }],
  ["variables", { env: { COLOUR: "red" } }],
  ["MCP servers", { mcp: { files: { type: "local", command: "files" } } }],
])("sessions with %s of their own get a server of their own", (_, overrides) => {
  expect(launch(overrides).key).not.toBe(launch().key);
});

test("keys of the machine are configured, except logins and those OpenCode keeps itself", () => {
  expect(launch().config.provider).toEqual({ anthropic: { options: { apiKey: "machine-anthropic" } } });
});

test("keys of the session win, whether given as credentials or in its environment", () => {
  expect(launch({ credentials: { anthropic: "mine" } }).config.provider.anthropic.options.apiKey).toBe("mine");
  const inEnvironment = launch({ env: { ANTHROPIC_API_KEY: "mine-too", OPENAI_API_KEY: "and-this" } });
  expect(inEnvironment.config.provider).toMatchObject({
    anthropic: { options: { apiKey: "mine-too" } },
    openai: { options: { apiKey: "and-this" } },
  });
  expect(inEnvironment.env).not.toHaveProperty("ANTHROPIC_API_KEY");
});

test("endpoints reach the provider in the form its library wants", () => {
  const { config, env } = launch(
    { credentials: { openai: "k" } },
    { ANTHROPIC_BASE_URL: "http://a/", OPENAI_BASE_URL: "http://o/v1" },
  );
  expect(config.provider).toMatchObject({
    anthropic: { options: { baseURL: "http://a/v1" } },
    openai: { options: { baseURL: "http://o/v1" } },
  });
  expect(env).not.toHaveProperty("ANTHROPIC_BASE_URL");
});

test("a service without a key can be used, with models nobody knows", () => {
  const { config } = launch({ endpoints: { openai: "http://local/v1" } }, {}, ["openai/llama"]);
  expect(config.provider.openai).toEqual({
    options: { apiKey: "none", baseURL: "http://local/v1" },
    models: { llama: {} },
  });
});

test("the daemon's own variables stay with the daemon", () => {
  const { env } = launch({}, { SANDBOX_AGENT_TOKEN: "t", PATH: "/bin" });
  expect(env).not.toHaveProperty("SANDBOX_AGENT_TOKEN");
  expect(env).toMatchObject({ PATH: "/bin", SANDBOX_AGENT_OWNER: "me", SHELL: "/sh" });
});

test("the public provider is off unless there is a key for it", () => {
  expect(launch().config.disabled_providers).toEqual(["opencode"]);
  expect(launch({ credentials: { opencode: "k" } }).config.disabled_providers).toBeUndefined();
});
