/** What the daemon adds to a real agent, measured against the bare program in the same run, turn by turn in alternation. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInstaller, openAgentBook } from "@sandbox-agent/agents";
import type { BareAgent, BareOptions } from "../bare/bare.ts";
import { bareClaude, claudePerTurn } from "../bare/claude.ts";
import { bareCodex } from "../bare/codex.ts";
import { bareOpenCode } from "../bare/opencode.ts";
import { spawnModel } from "../model.ts";
import { type Figure, median } from "../report/figure.ts";
import { startHealthy } from "../systems/process.ts";
import { upstreamAgent } from "../systems/upstream-agent.ts";

const prompt = "[[say hello world]]";
/** Two processes of one agent differ by more than the daemon adds, so several of each are measured. */
const rounds = 4;
const turnsPerRound = 36;
/** The first turns of a process warm it up. */
const warmUp = 12;
const perTurnRuns = 6;
/** Agents go on storing a turn after its end; neither may do so while the other is measured. */
const settleMs = 100;

type OpenBare = (options: BareOptions) => BareAgent | Promise<BareAgent>;

const bare: Record<string, OpenBare> = {
  claude: bareClaude,
  codex: bareCodex,
  opencode: bareOpenCode,
};
/** As the bare programs are run. */
const settings: Record<string, Record<string, string>> = {
  codex: { model: "gpt-5.5", permissionMode: "bypass" },
  opencode: { model: "anthropic/claude-sonnet-4-6" },
};

export interface AgentPlaces {
  /** Our daemon. */
  executable: string;
  /** For what is written. */
  directory: string;
  /** For what is fetched. */
  cache: string;
}

export async function agentOverhead({ executable, directory, cache }: AgentPlaces): Promise<Figure[]> {
  const model = await spawnModel();
  const book = openAgentBook({ directory: null, configFile: null, env: process.env });
  const installer = createInstaller({ directory: join(cache, "agents"), env: process.env, definitions: book });
  const figures: Figure[] = [];
  for (const [agent, open] of Object.entries(bare)) {
    const { path: program } = await installer.require(agent);
    const home = join(directory, `${agent}-bare`);
    const project = join(directory, `${agent}-project`);
    mkdirSync(home, { recursive: true });
    mkdirSync(project, { recursive: true });
    const options = { program, directory: project, home, modelUrl: model.url };
    const upstreamHome = (round: number) => join(directory, `${agent}-upstream-${round}`);
    const ways: Ways = {
      alone: () => open(options),
      ours: (round) => daemonAgent(agent, options, executable, join(directory, `${agent}-data-${round}`)),
      theirs: (round) => upstreamAgent(agent, options, { installer, cache, home: upstreamHome(round) }),
    };
    figures.push(...(await compare(agent, ways)));
    if (agent === "claude") figures.push(...(await warmAgainstCold(options, figures)));
  }
  model.close();
  return figures;
}

/** Ways to the same agent, opened anew in each round. */
type Ways = Record<"alone" | "ours" | "theirs", (round: number) => BareAgent | Promise<BareAgent>>;

async function compare(agent: string, ways: Ways): Promise<Figure[]> {
  const times: Record<keyof Ways, number[]> = { alone: [], ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    const open = [
      ["alone", await ways.alone(round)],
      ["ours", await ways.ours(round)],
      ["theirs", await ways.theirs(round)],
    ] as const;
    for (let turn = 0; turn < turnsPerRound; turn++) {
      // Each in turn is the first, so that none always comes after the same other.
      const first = turn % open.length;
      for (const [way, opened] of [...open.slice(first), ...open.slice(0, first)]) {
        await Bun.sleep(settleMs);
        const took = await opened.turn(prompt);
        if (turn >= warmUp) times[way].push(took);
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

  /** Turn by turn: the machine is not as fast at one moment as at another. */
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

/** The same turns as a client of the daemon has them. */
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
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}
