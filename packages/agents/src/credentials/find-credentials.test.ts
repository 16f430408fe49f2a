import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary.ts";
import type { Credential } from "./credentials.ts";
import { findCredentials } from "./find-credentials.ts";

type Files = Record<string, unknown>;

const soon = Date.now() + 3_600_000;
const past = Date.now() - 1000;

function find(files: Files, env: Record<string, string> = {}, oauth = true) {
  const home = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return findCredentials({ env, home, oauth });
}

function credential(
  provider: string,
  source: Credential["source"],
  api_key: string,
  auth_type: Credential["auth_type"],
) {
  return { provider, source, auth_type, api_key };
}

const amp = { ".amp/config.json": { apiKey: "amp-key" } };
const claude = { ".claude.json": { primaryApiKey: "sk-ant-claude" } };
const claudeLogin = { ".claude/.credentials.json": { claudeAiOauth: { accessToken: "login", expiresAt: soon } } };
const codex = { ".codex/auth.json": { OPENAI_API_KEY: "sk-codex", tokens: { access_token: "tok" } } };
const codexLogin = { ".codex/auth.json": { OPENAI_API_KEY: null, tokens: { access_token: "codex-login" } } };
const authFile = ".local/share/opencode/auth.json";
const opencode = {
  [authFile]: {
    anthropic: { type: "oauth", access: "oc-anthropic", expires: soon },
    openai: { type: "api", key: "oc-openai" },
    "z-ai": { type: "api", key: "oc-z" },
    copilot: { type: "oauth", access: "oc-copilot", expires: past },
    other: { type: "wellknown", key: "x", token: "y" },
    empty: { type: "api", key: "" },
  },
};

test("nothing is found in an empty home", () => {
  expect(find({})).toEqual({ anthropic: null, openai: null, other: {} });
});

describe("anthropic: the first hit wins", () => {
  const everything = { ...amp, ...claude, ...claudeLogin, ...opencode };
  const env = {
    ANTHROPIC_API_KEY: "env-1",
    CLAUDE_API_KEY: "env-2",
    CLAUDE_CODE_OAUTH_TOKEN: "env-3",
    ANTHROPIC_AUTH_TOKEN: "env-4",
  };
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

  test.each<[string, Files, Record<string, string>, ReturnType<typeof credential>]>([
    ["ANTHROPIC_API_KEY", everything, env, credential("anthropic", "environment", "env-1", "api_key")],
    [
      "CLAUDE_API_KEY",
      everything,
      { ...env, ANTHROPIC_API_KEY: "" },
      credential("anthropic", "environment", "env-2", "api_key"),
    ],
    [
      "CLAUDE_CODE_OAUTH_TOKEN",
      everything,
      without("ANTHROPIC_API_KEY", "CLAUDE_API_KEY"),
      credential("anthropic", "environment", "env-3", "oauth"),
    ],
    [
      "ANTHROPIC_AUTH_TOKEN",
      everything,
      { ANTHROPIC_AUTH_TOKEN: "env-4" },
      credential("anthropic", "environment", "env-4", "oauth"),
    ],
    ["amp", everything, {}, credential("anthropic", "amp", "amp-key", "api_key")],
    [
      "claude's configuration",
      { ...claude, ...claudeLogin, ...opencode },
      {},
      credential("anthropic", "claude-code", "sk-ant-claude", "api_key"),
    ],
    ["claude's login", { ...claudeLogin, ...opencode }, {}, credential("anthropic", "claude-code", "login", "oauth")],
    ["opencode", opencode, {}, credential("anthropic", "opencode", "oc-anthropic", "oauth")],
  ])("%s", (_, files, env, expected) => {
    expect(find(files, env).anthropic).toEqual(expected);
  });
});

describe("openai: the first hit wins", () => {
  test.each<[string, Files, Record<string, string>, ReturnType<typeof credential>]>([
    [
      "OPENAI_API_KEY",
      { ...codex, ...opencode },
      { OPENAI_API_KEY: "env-1", CODEX_API_KEY: "env-2" },
      credential("openai", "environment", "env-1", "api_key"),
    ],
    ["CODEX_API_KEY", codex, { CODEX_API_KEY: "env-2" }, credential("openai", "environment", "env-2", "api_key")],
    ["codex's key", { ...codex, ...opencode }, {}, credential("openai", "codex", "sk-codex", "api_key")],
    ["codex's login", { ...codexLogin, ...opencode }, {}, credential("openai", "codex", "codex-login", "oauth")],
    ["opencode", opencode, {}, credential("openai", "opencode", "oc-openai", "api_key")],
  ])("%s", (_, files, env, expected) => {
    expect(find(files, env).openai).toEqual(expected);
  });
});

describe("other providers", () => {
  test("are everything else opencode is logged in to, unless it has expired", () => {
    expect(find(opencode).other).toEqual({ "z-ai": credential("z-ai", "opencode", "oc-z", "api_key") });
  });
});

describe("without OAuth", () => {
  test("logins do not count", () => {
    const tokens = { CLAUDE_CODE_OAUTH_TOKEN: "t", ANTHROPIC_AUTH_TOKEN: "t" };
    const files = { ...claudeLogin, ...codexLogin, [authFile]: { anthropic: { type: "oauth", access: "t" } } };
    expect(find(files, tokens, false)).toEqual({ anthropic: null, openai: null, other: {} });
  });
});

describe("the configuration of claude", () => {
  test.each(["primaryApiKey", "apiKey", "anthropicApiKey", "customApiKey"])("has the key as %s", (name) => {
    expect(find({ ".claude.json": { [name]: "sk-ant-1" } }).anthropic?.api_key).toBe("sk-ant-1");
  });

  test("counts in `.claude.json.api` first", () => {
    expect(find({ ...claude, ".claude.json.api": { apiKey: "sk-ant-api" } }).anthropic?.api_key).toBe("sk-ant-api");
  });

  test("has keys of others, which do not count", () => {
    expect(find({ ".claude.json": { primaryApiKey: "sk-other", apiKey: "sk-ant-2" } }).anthropic?.api_key).toBe(
      "sk-ant-2",
    );
  });

  test.each([
    ["milliseconds", past, soon],
    ["a date", new Date(past).toISOString(), new Date(soon).toISOString()],
  ])("has a login that expires at a time in %s", (_, before, after) => {
    const login = (expiresAt: unknown) => ({ claudeAiOauth: { accessToken: "login", expiresAt } });
    expect(find({ ".claude/.credentials.json": login(before) }).anthropic).toBeNull();
    expect(find({ ".claude/.credentials.json": login(after) }).anthropic?.api_key).toBe("login");
    const second = { ".claude/.credentials.json": login(before), ".claude-oauth-credentials.json": login(after) };
    expect(find(second).anthropic?.api_key).toBe("login");
  });
});

describe("the configuration of amp", () => {
  test.each<[unknown]>([
    [{ anthropicApiKey: "k" }],
    [{ anthropic_api_key: "k" }],
    [{ api_key: "k" }],
    [{ accessToken: "k" }],
    [{ access_token: "k" }],
    [{ token: "k" }],
    [{ auth: { apiKey: "k" } }],
    [{ auth: { token: "k" } }],
    [{ anthropic: { apiKey: "k" } }],
  ])("has the key as %j", (config) => {
    expect(find({ ".amp/config.json": config }).anthropic?.api_key).toBe("k");
  });
});

describe("the key of the Amp service", () => {
  const secrets = {
    ".local/share/amp/secrets.json": {
      "apiKey@https://ampcode.com/": "amp-default",
      "apiKey@https://amp.example/": "amp-example",
    },
  };

  test.each<[string, Files, Record<string, string>, ReturnType<typeof credential> | undefined]>([
    ["AMP_API_KEY", secrets, { AMP_API_KEY: "env" }, credential("amp", "environment", "env", "api_key")],
    ["a login", secrets, {}, credential("amp", "amp", "amp-default", "api_key")],
    [
      "another server",
      secrets,
      { AMP_URL: "https://amp.example/" },
      credential("amp", "amp", "amp-example", "api_key"),
    ],
    [
      "a server in the settings",
      { ...secrets, ".config/amp/settings.json": { "amp.url": "https://amp.example/" } },
      {},
      credential("amp", "amp", "amp-example", "api_key"),
    ],
    ["a server without a login", secrets, { AMP_URL: "https://amp.example" }, undefined],
  ])("%s", (_, files, env, expected) => {
    expect(find(files, env).other.amp).toEqual(expected);
  });
});

describe("files that are broken", () => {
  test.each<[unknown]>([["{"], ["null"], ["[1]"], ['"text"'], ['{"anthropic": 5, "auth": null, "tokens": []}']])(
    "%s",
    (content) => {
      const names = [".amp/config.json", ".claude.json", ".claude/.credentials.json", ".codex/auth.json", authFile];
      const files = Object.fromEntries(names.map((name) => [name, content]));
      expect(find(files)).toEqual({ anthropic: null, openai: null, other: {} });
    },
  );
});
