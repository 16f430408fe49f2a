/** The launch of Pi and its provider configuration. */
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary.ts";
import type { AgentEnvironment } from "../environment.ts";
import { createInstaller } from "../install/create-installer.ts";
import { modelsFrom } from "./catalog.ts";
import { providersFor } from "./credential.ts";
import { homeWithoutLogins } from "./home.ts";
import { launchEnvironment, requireVersion, sessionArguments } from "./launch.ts";
import { offeredName } from "./mcp.ts";

const installed = {
  agent: "pi",
  version: "0.87.1",
  path: "/pi/cli.js",
  command: ["/pi/cli.js"],
  env: { BUN_BE_BUN: "1" },
};
const settings = { agentMode: "build", permissionMode: "default", model: null, variant: null } as const;
const nothing = { env: {}, credentials: {}, endpoints: {} };

function environment(env: Record<string, string>): AgentEnvironment {
  return {
    dataDir: "/data",
    env,
    installer: createInstaller({ directory: "/nowhere", env }),
    credentials: () => ({ anthropic: null, openai: null, other: {} }),
    owner: "owner",
    idleMs: 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  };
}

test("a session is named, and its settings become flags", () => {
  const options = { extension: "/x.js", settings, gate: "default", sessionId: "id", skills: null } as const;
  expect(sessionArguments(options)).toEqual(["--mode", "rpc", "--extension", "/x.js", "--session-id", "id"]);
  const chosen = { ...settings, model: "openai/gpt", variant: "high" };
  const args = sessionArguments({ ...options, settings: chosen, gate: "plan", skills: "/project/.agents/skills" });
  expect(args.join(" ")).toContain(
    "--model openai/gpt --thinking high --skill /project/.agents/skills --append-system-prompt",
  );
});

test("no key and nothing of ours is in the environment of the agent", () => {
  const env = { HOME: "/h", ANTHROPIC_API_KEY: "a", GROQ_API_KEY: "b", SANDBOX_AGENT_TOKEN: "c", PI_OFFLINE: "0" };
  const started = launchEnvironment({ ...nothing, env: { OPENAI_API_KEY: "d" } }, installed, environment(env));
  expect(started).toEqual({
    HOME: "/h",
    BUN_BE_BUN: "1",
    PI_OFFLINE: "0",
    PI_TELEMETRY: "0",
    PI_SKIP_VERSION_CHECK: "1",
    SANDBOX_AGENT_OWNER: "owner",
  });
});

test("keys of the session take precedence and are passed literally", () => {
  const machine = environment({ OPENAI_API_KEY: "of-the-machine", ANTHROPIC_BASE_URL: "http://gateway/v1/" });
  const overrides = { ...nothing, env: { GROQ_API_KEY: "!x" }, credentials: { openai: "a$b" } };
  expect(providersFor(overrides, machine)).toEqual({
    openai: { apiKey: "a$$b" },
    groq: { apiKey: "$!x" },
    anthropic: { baseUrl: "http://gateway" },
  });
});

test("an endpoint of the session needs no key", () => {
  const overrides = { ...nothing, endpoints: { openai: "http://local/v1" } };
  expect(providersFor(overrides, environment({}))).toEqual({ openai: { apiKey: "none", baseUrl: "http://local/v1" } });
});

test("the home without logins has everything else, and follows changes", () => {
  const [home, dataDir] = [temporaryFolder(), temporaryFolder()];
  for (const name of ["auth.json", "settings.json"]) writeFileSync(join(home, name), "{}");
  const env = { PI_CODING_AGENT_DIR: home };
  const directory = homeWithoutLogins(env, dataDir);
  expect(readdirSync(directory).sort()).toEqual(["sessions", "settings.json"]);
  mkdirSync(join(home, "skills"));
  expect(homeWithoutLogins(env, dataDir)).toBe(directory);
  expect(readlinkSync(join(directory, "skills"))).toBe(join(home, "skills"));
});

test.each(["0.80.4", "0.87.1", "1.5.0", "1.0.0-rc.1"])("version %s is new enough", (version) => {
  expect(() => requireVersion({ ...installed, version })).not.toThrow();
});

test.each(["0.74.2", "0.80.3"])("version %s is too old", (version) => {
  expect(() => requireVersion({ ...installed, version })).toThrow(/0\.80\.4 or newer/);
});

test("models have the thinking levels they support", () => {
  const plain = { id: "a", provider: "p" };
  const thinking = { id: "b", provider: "p", reasoning: true, thinkingLevelMap: { minimal: null, xhigh: "very" } };
  expect(modelsFrom([plain, thinking], thinking)).toEqual({
    models: [{ id: "p/a" }, { id: "p/b", variants: ["off", "low", "medium", "high", "xhigh"] }],
    defaultModel: "p/b",
  });
  expect(modelsFrom([plain], { id: "unknown", provider: "unknown" }).defaultModel).toBe("p/a");
});

test("names of MCP tools are what providers accept", () => {
  expect(offeredName("my server", "do.it")).toBe("mcp__my_server__do_it");
  expect(offeredName("s".repeat(40), "t".repeat(40))).toHaveLength(64);
});
