/** What each agent gets of an environment full of secrets. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launchFor as acpLaunch } from "./acp/launch.ts";
import { launchEnvironment as ampEnvironment } from "./amp/launch.ts";
import { launchEnvironment as claudeEnvironment } from "./claude/launch.ts";
import { noOverrides, planLaunch } from "./codex/launch.ts";
import { cursorProfile } from "./cursor/profile.ts";
import type { AgentEnvironment } from "./environment.ts";
import { launchFor as openCodeLaunch } from "./opencode/launch.ts";
import { launchEnvironment as piEnvironment } from "./pi/launch.ts";

const secrets = {
  ANTHROPIC_API_KEY: "sk-ant-0123456789",
  OPENAI_API_KEY: "sk-proj-0123456789",
  GEMINI_API_KEY: "AIza0123456789",
  AZURE_API_KEY: "azure-0123456789",
  AMP_API_KEY: "amp-0123456789",
  CURSOR_API_KEY: "cursor-0123456789",
  GITHUB_TOKEN: "ghp_0123456789",
  AWS_SECRET_ACCESS_KEY: "aws-0123456789",
  STRIPE_SECRET: "sk_live_0123456789",
  SANDBOX_AGENT_TOKEN: "daemon-0123456789",
  SANDBOX_AGENT_LOG: "debug",
};
const plain = { PATH: "/bin", HOME: "/home/user", GIT_CONFIG_KEY_0: "safe.directory", MAX_TOKENS: "1000" };

function environment(change: Partial<AgentEnvironment> = {}): AgentEnvironment {
  const unused = () => {
    throw new Error("not used");
  };
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-agent-inherit-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return {
    dataDir,
    env: { ...plain, ...secrets },
    inherit: [],
    installer: { find: unused, install: unused, require: unused, onProgress: unused },
    credentials: () => ({ anthropic: null, openai: null, other: {} }),
    owner: "owner",
    idleMs: 0,
    hide: () => {},
    log: () => {},
    ...change,
  };
}

const installed = { agent: "any", version: "1", path: "/bin/any", command: ["/bin/any"] };
const spec = { env: {}, credentials: {}, endpoints: {}, mcp: {}, directory: "/" };
const defined = { id: "mine", name: "Mine", args: [] };

type Build = (within: AgentEnvironment) => Record<string, string>;

const agents: [name: string, build: Build, gets: (keyof typeof secrets)[]][] = [
  ["claude", (within) => claudeEnvironment(spec, installed, null, within), []],
  ["codex", (within) => planLaunch(noOverrides, installed, within).env, []],
  [
    "opencode",
    (within) => openCodeLaunch(installed, within, spec, { shell: "/bin/sh" }).env,
    ["GEMINI_API_KEY", "AZURE_API_KEY"],
  ],
  ["pi", (within) => piEnvironment(spec, installed, within), ["AZURE_API_KEY"]],
  [
    "amp",
    (within) => ampEnvironment(spec, installed, { key: secrets.AMP_API_KEY, gateAddress: "gate" }, within),
    ["AMP_API_KEY"],
  ],
  ["cursor", (within) => acpLaunch(cursorProfile, installed, within, spec).env, ["CURSOR_API_KEY"]],
  ["a defined agent", (within) => acpLaunch(defined, installed, within, spec).env, []],
  [
    "a defined agent with a key",
    (within) => acpLaunch({ ...defined, keys: { anthropic: "ANTHROPIC_API_KEY" } }, installed, within, spec).env,
    ["ANTHROPIC_API_KEY"],
  ],
  [
    "a defined agent that names a variable",
    (within) => acpLaunch({ ...defined, inheritEnv: ["GITHUB_TOKEN"] }, installed, within, spec).env,
    ["GITHUB_TOKEN"],
  ],
];

test.each(agents)("%s gets the secrets it needs and no others", (_, build, gets) => {
  const env = build(environment());
  expect(Object.keys(secrets).filter((name) => name in env)).toEqual(
    Object.keys(secrets).filter((name) => gets.some((each) => each === name)),
  );
  expect(env).toMatchObject(plain);
});

test.each(agents)(
  "%s gets the variables that the daemon passes on, and nothing of the daemon's own",
  (_, build, gets) => {
    const env = build(environment({ inherit: ["GITHUB_TOKEN", "SANDBOX_AGENT_TOKEN"] }));
    const expected = Object.keys(secrets).filter(
      (name) => name === "GITHUB_TOKEN" || gets.some((each) => each === name),
    );
    expect(Object.keys(secrets).filter((name) => name in env)).toEqual(expected);
  },
);

test("claude gets the credentials of a cloud that is enabled", () => {
  const env = { ...plain, ...secrets, CLAUDE_CODE_USE_BEDROCK: "1" };
  expect(claudeEnvironment(spec, installed, null, environment({ env }))).toMatchObject({
    AWS_SECRET_ACCESS_KEY: secrets.AWS_SECRET_ACCESS_KEY,
  });
});

test("codex gets the variables that MCP servers of the session name", () => {
  const mcp = { remote: { type: "remote", url: "http://mcp", bearerTokenEnvVar: "GITHUB_TOKEN" } } as const;
  const { env } = planLaunch({ ...noOverrides, mcp }, installed, environment());
  expect([env.GITHUB_TOKEN, env.STRIPE_SECRET]).toEqual([secrets.GITHUB_TOKEN, undefined]);
});

test("variables of the session are passed on whatever they are called", () => {
  const env = { GITHUB_TOKEN: "ghp_of-the-session" };
  expect(claudeEnvironment({ ...spec, env }, installed, null, environment())).toMatchObject(env);
  expect(acpLaunch(defined, installed, environment(), { ...spec, env }).env).toMatchObject(env);
});
