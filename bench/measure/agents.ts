/** Latency that the daemon adds to a real agent, compared with the bare program in the same run, turn by turn. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInstaller, openAgentCatalog } from "@sandbox-agent/agents";
import type { BareAgent, BareOptions } from "../bare/bare.ts";
import { bareClaude, claudePerTurn } from "../bare/claude.ts";
import { bareCodex } from "../bare/codex.ts";
import { bareOpenCode } from "../bare/opencode.ts";
import { spawnModel } from "../model.ts";
import { type Figure, median } from "../report/figure.ts";
import { startHealthy } from "../systems/process.ts";
import { upstreamAgent } from "../systems/upstream-agent.ts";

const prompt = "[[say hello world]]";
/** Two processes of the same agent differ by more than the daemon adds, so several of each are measured. */
const rounds = 4;
const turnsPerRound = 36;
/** Turns of each process that are not counted. */
const warmUp = 12;
const perTurnRuns = 6;
/** Agents keep writing to disk after a turn ends; wait, so that this does not slow down the next measurement. */
const settleMs = 100;

type OpenBare = (options: BareOptions) => BareAgent | Promise<BareAgent>;

const bare: Record<string, OpenBare> = {
  claude: bareClaude,
  codex: bareCodex,
  opencode: bareOpenCode,
};
/** The settings that the bare programs run with. */
const settings: Record<string, Record<string, string>> = {
  codex: { model: "gpt-5.5", permissionMode: "bypass" },
  opencode: { model: "anthropic/claude-sonnet-4-6" },
};

export interface AgentPlaces {
  /** This project's daemon. */
  executable: string;
  /** Data of this run. */
  directory: string;
  /** Downloads, kept between runs. */
  cache: string;
}

export async function agentOverhead({ executable, directory, cache }: AgentPlaces): Promise<Figure[]> {
  const model = await spawnModel();
  const catalog = openAgentCatalog({ directory: null, configFile: null, env: process.env });
  const installer = createInstaller({ directory: join(cache, "agents"), env: process.env, definitions: catalog });
  const figures: Figure[] = [];
  for (const [agent, open] of Object.entries(bare)) {
    const { path: program } = await installer.require(agent);
    const home = join(directory, `${agent}-bare`);
    const project = join(directory, `${agent}-project`);
    mkdirSync(home, { recursive: true });
    mkdirSync(project, { recursive: true });
    const options = { program, directory: project, home, modelUrl: model.url };
    const upstreamHome = (round: number) => join(directory, `${agent}-upstream-${round}`);
    const routes: Routes = {
      alone: () => open(options),
      ours: (round) => daemonAgent(agent, options, executable, join(directory, `${agent}-data-${round}`)),
      theirs: (round) => upstreamAgent(agent, options, { installer, cache, home: upstreamHome(round) }),
    };
    figures.push(...(await compare(agent, routes)));
    if (agent === "claude") figures.push(...(await warmAgainstCold(options, figures)));
  }
  model.close();
  return figures;
}

/** How the agent is reached. Each is opened again in every round. */
type Routes = Record<"alone" | "ours" | "theirs", (round: number) => BareAgent | Promise<BareAgent>>;

async function compare(agent: string, routes: Routes): Promise<Figure[]> {
  const times: Record<keyof Routes, number[]> = { alone: [], ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    const open = [
      ["alone", await routes.alone(round)],
      ["ours", await routes.ours(round)],
      ["theirs", await routes.theirs(round)],
    ] as const;
    for (let turn = 0; turn < turnsPerRound; turn++) {
      // Rotate the order, so that no route always follows the same other one.
      const first = turn % open.length;
      for (const [route, opened] of [...open.slice(first), ...open.slice(0, first)]) {
        await Bun.sleep(settleMs);
        const took = await opened.turn(prompt);
        if (turn >= warmUp) times[route].push(took);
      }
    }
    for (const [, opened] of open) await opened.close();
  }
  return [
    { work: `${agent}, warm: message → first delta, bare`, value: median(times.alone), unit: "ms" },
    { work: `${agent}, warm: the same through the daemon`, value: median(times.ours), unit: "ms" },
    { work: `${agent}, warm: the same through the upstream daemon`, value: median(times.theirs), unit: "ms" },
    { work: `${agent}: added by the daemon, p50`, value: added(times.ours), unit: "ms" },
    { work: `${agent}: added by the upstream daemon, p50`, value: added(times.theirs), unit: "ms" },
  ];

  /** Median of the differences per turn, because the speed of the machine changes over time. */
  function added(daemon: readonly number[]): number {
    return median(daemon.map((took, turn) => took - (times.alone[turn] ?? Number.NaN)));
  }
}

async function warmAgainstCold(options: BareOptions, figures: readonly Figure[]): Promise<Figure[]> {
  const cold = claudePerTurn(options);
  await cold.turn(prompt);
  const times: number[] = [];
  for (let run = 0; run < perTurnRuns; run++) times.push(await cold.turn(prompt));
  const warm =
    figures.find(({ work }) => work.includes("claude, warm: the same through the daemon"))?.value ?? Number.NaN;
  const perTurn = median(times);
  return [
    { work: "claude, one process per turn: → first delta", value: perTurn, unit: "ms" },
    { work: "claude: a warm turn is faster by", value: perTurn / warm, unit: "×" },
  ];
}

/** The agent behind this project's daemon, seen from an HTTP client. */
async function daemonAgent(
  agent: string,
  { program, directory, home, modelUrl }: BareOptions,
  executable: string,
  dataDir: string,
): Promise<BareAgent> {
  const server = [executable, "server", "--no-token", "--data-dir", dataDir, "--port"];
  const daemon = await startHealthy((port) => [...server, String(port)], {
    HOME: home,
    ANTHROPIC_API_KEY: "test-key",
    OPENAI_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: modelUrl,
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    SANDBOX_AGENT_LOG: "error",
    [`SANDBOX_AGENT_${agent.toUpperCase()}_PATH`]: program,
  });
  const session = `${daemon.url}/v1/sessions/bench`;
  await post(session, { agent, directory, ...settings[agent] });
  const decoder = new TextDecoder();
  let onText: (text: string) => void = () => {};
  const stream = await fetch(`${session}/events/sse`);
  void (async () => {
    for await (const chunk of stream.body ?? []) onText(decoder.decode(chunk));
  })().catch(() => {});
  return {
    turn(message) {
      const done = Promise.withResolvers<number>();
      const started = performance.now();
      let first: number | null = null;
      onText = (text) => {
        if (text.includes('"type":"item.delta"')) first ??= performance.now() - started;
        if (text.includes('"type":"turn.ended"')) done.resolve(first ?? Number.NaN);
      };
      void post(`${session}/messages`, { message });
      return done.promise;
    },
    close: () => daemon.stop(),
  };
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} failed with ${response.status}: ${await response.text()}`);
}
