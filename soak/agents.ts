/** The agents of a run, and the messages that users send them. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstaller } from "@sandbox-agent/agents";
import { pathVariable } from "../packages/agents/src/install/variables.ts";
import type { Random } from "./random.ts";

/** Shared with the tests, so that agents are installed once. */
const agentsDirectory = join(tmpdir(), "sandbox-agent-test-agents");

export interface SoakAgent {
  id: string;
  /** Sessions at the same time. */
  sessions: number;
  /** Actions of each user in a round. */
  actions: number;
  /** The longest pause between two faults. Slow agents need more time to make progress in between. */
  pauseMs: number;
  /** How long a turn may go without an event when nothing is wrong. */
  silenceMs: number;
  session: Record<string, unknown>;
  /** A message that contains the token. */
  message(random: Random, token: string): string;
  /** A turn that does not end by itself. */
  hang(token: string): string;
}

function mockMessage(random: Random, token: string): string {
  const kind = random.weighted({ echo: 30, long: 3, burst: 5, slow: 12, script: 20, ask: 12, crash: 1, end: 1 });
  switch (kind) {
    case "echo":
      return `echo ${token}`;
    case "long":
      return `echo ${token} ${"long ".repeat(random.between(1, 100_000))}`;
    case "burst":
      return `burst ${random.between(1, 5000)} ${token}`;
    case "slow":
      return `slow ${random.between(1, 40)} ${random.between(1, 20)} ${token}`;
    case "script":
      return `${random.pick(["markdown", "reason", "tool", "status", "todo", "subagent", "image", "usage"])} ${token}`;
    case "ask":
      return `${random.pick(["permission", "permission1", "question", "question1"])} ${token}`;
    case "crash":
    case "end":
      return `${kind} ${token}`;
  }
}

function scriptedMessage(random: Random, token: string): string {
  const kind = random.weighted({ text: 20, slow: 20, sh: 12, long: 4, ask: 6, todo: 4, task: 2, drop: 2, fail: 2 });
  const text = `[[say ${token}]]`;
  switch (kind) {
    case "text":
      return text;
    case "slow":
      return `${token} [[slow ${random.between(2, 60)} ${random.between(5, 40)}]]`;
    case "sh":
      return `[[sh ${random.pick(["echo hello", "sleep 1; echo slept", "sleep 20 & echo started", "exit 3"])}]] ${text}`;
    case "long":
      return `${token} [[long ${random.between(1000, 20_000)}]]`;
    case "ask":
      return `[[ask Which one? | This | That]] ${text}`;
    case "todo":
      return `[[todo one; two]] ${text}`;
    case "task":
      return `[[task {{say inside}}]] ${text}`;
    case "drop":
      return `[[drop]] ${text}`;
    case "fail":
      return `${token} [[error 400]]`;
  }
}

const real = {
  sessions: 1,
  actions: 10,
  pauseMs: 6000,
  silenceMs: 120_000,
  message: scriptedMessage,
  hang: (token: string) => `${token} [[hang]]`,
};

const agents: SoakAgent[] = [
  {
    id: "mock",
    sessions: 6,
    actions: 40,
    pauseMs: 1500,
    silenceMs: 60_000,
    session: {},
    message: mockMessage,
    hang: (token) => `hang ${token}`,
  },
  { ...real, id: "claude", session: {} },
  { ...real, id: "codex", session: { model: "gpt-5.5" } },
  { ...real, id: "opencode", session: { model: "anthropic/claude-sonnet-4-6" } },
  { ...real, id: "pi", session: { model: "anthropic/claude-sonnet-4-5", variant: "low" } },
];

export const agentIds = agents.map(({ id }) => id);

export function chosenAgents(ids: readonly string[]): SoakAgent[] {
  return agents.filter(({ id }) => ids.includes(id));
}

/** Environment in which the daemon finds the agents' programs and their model. */
export async function agentVariables(
  chosen: readonly SoakAgent[],
  modelUrl: string,
  home: string,
): Promise<Record<string, string>> {
  const installer = createInstaller({ directory: agentsDirectory, env: process.env });
  const programs: Record<string, string> = {};
  for (const { id } of chosen) if (id !== "mock") programs[pathVariable(id)] = (await installer.require(id)).path;
  return {
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ANTHROPIC_API_KEY: "test-key",
    OPENAI_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: modelUrl,
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    CLAUDE_CODE_MAX_RETRIES: "1",
    IS_SANDBOX: "1",
    ...programs,
  };
}
