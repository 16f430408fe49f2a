/** What the daemon adds to a real agent, measured against the bare program in the same run, turn by turn in alternation. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInstaller } from "@sandbox-agent/agents";
import { startDaemonProcess } from "../../test/harness/daemon.ts";
import type { BareAgent, BareOptions } from "../bare/bare.ts";
import { bareClaude, claudePerTurn } from "../bare/claude.ts";
import { bareCodex } from "../bare/codex.ts";
import { bareOpenCode } from "../bare/opencode.ts";
import { spawnModel } from "../model.ts";
import { type Figure, percentile } from "../report/figure.ts";

const cache = join(import.meta.dirname, "../../node_modules/.cache/sandbox-agent/agents");
const prompt = "[[say hello world]]";
/** Two processes of one agent differ by more than the daemon adds, so several of each are measured. */
const rounds = 4;
const turnsPerRound = 14;
/** The first turns of a process warm it up. */
const warmUp = 4;
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

export async function agentOverhead(directory: string): Promise<Figure[]> {
  const model = await spawnModel();
  const installer = createInstaller({ directory: cache, env: process.env });
  const figures: Figure[] = [];
  for (const [agent, open] of Object.entries(bare)) {
    const { path: program } = await installer.require(agent);
    const home = join(directory, `${agent}-bare`);
    const project = join(directory, `${agent}-project`);
    mkdirSync(home, { recursive: true });
    mkdirSync(project, { recursive: true });
    const options = { program, directory: project, home, modelUrl: model.url };
    figures.push(...(await compare(agent, open, options, join(directory, `${agent}-data`))));
    if (agent === "claude") figures.push(...(await warmAgainstCold(options, figures)));
  }
  model.close();
  return figures;
}

async function compare(agent: string, open: OpenBare, options: BareOptions, dataDir: string): Promise<Figure[]> {
  const [bareTimes, daemonTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const alone = await open(options);
    const through = await daemonAgent(agent, options, `${dataDir}-${round}`);
    for (let turn = 0; turn < turnsPerRound; turn++) {
      await Bun.sleep(settleMs);
      const before = await alone.turn(prompt);
      await Bun.sleep(settleMs);
      const after = await through.turn(prompt);
      if (turn < warmUp) continue;
      bareTimes.push(before);
      daemonTimes.push(after);
    }
    await alone.close();
    await through.close();
  }
  const [before, after] = [percentile(bareTimes, 0.5), percentile(daemonTimes, 0.5)];
  return [
    { work: `${agent}, warm: message → first delta, bare`, value: before, unit: "ms" },
    { work: `${agent}, warm: the same through the daemon`, value: after, unit: "ms" },
    { work: `${agent}: added by the daemon, p50`, value: after - before, unit: "ms", target: "≤ 5" },
  ];
}

async function warmAgainstCold(options: BareOptions, figures: readonly Figure[]): Promise<Figure[]> {
  const cold = claudePerTurn(options);
  await cold.turn(prompt);
  const times: number[] = [];
  for (let run = 0; run < perTurnRuns; run++) times.push(await cold.turn(prompt));
  const warm = figures.find(({ work }) => work.includes("claude, warm: the same"))?.value ?? Number.NaN;
  const perTurn = percentile(times, 0.5);
  return [
    { work: "claude, one process per turn: → first delta", value: perTurn, unit: "ms" },
    { work: "claude: a warm turn is faster by", value: perTurn / warm, unit: "×", target: "≥ 15" },
  ];
}

/** The same turns as a client of the daemon has them. */
async function daemonAgent(
  agent: string,
  { program, directory, home, modelUrl }: BareOptions,
  dataDir: string,
): Promise<BareAgent> {
  const daemon = await startDaemonProcess(dataDir, [], {
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
    async close() {
      daemon.kill("SIGTERM");
      await daemon.exited;
    },
  };
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}
