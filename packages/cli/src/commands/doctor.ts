/** `doctor`: starts every installed agent and reports problems. */
import type { Command } from "commander";
import { type AgentInfo, type SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { styleFor } from "../conversation/style.ts";
import { withDaemon } from "../daemon/reach.ts";
import { Failure } from "../failure.ts";
import { print, printValue } from "../print.ts";

interface Finding {
  agent: string;
  state: "ready" | "no credentials" | "not installed" | "broken";
  /** The result, and what to do about it. */
  detail: string;
}

/** How long an agent must keep running after its start. */
const settleMs = 1000;

export function addDoctor(program: Command): void {
  const command = program
    .command("doctor [agents...]")
    .description("Start every installed agent and report problems")
    .option("--json", "print JSON");
  command.addHelpText("after", help).action((wanted: string[], { json }: { json?: true }) =>
    withDaemon(command, async (client) => {
      const findings = await examineAll(client, wanted, async (finding) => {
        if (!json) await print(describe(finding));
      });
      if (json) await printValue(findings);
      const broken = findings.filter(({ state }) => state === "broken").map(({ agent }) => agent);
      if (broken.length > 0) throw new Failure(`broken: ${broken.join(", ")}`);
    }),
  );
}

/** One after the other, because several starting at once would be slower. */
async function examineAll(
  client: SandboxAgent,
  wanted: string[],
  report: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const { agents } = await client.listAgents();
  const unknown = wanted.filter((id) => !agents.some((agent) => agent.id === id));
  if (unknown.length > 0) throw new Failure(`unknown agent: ${unknown.join(", ")}; see \`sandbox-agent agents list\``);
  const findings: Finding[] = [];
  for (const agent of agents) {
    if (wanted.length > 0 && !wanted.includes(agent.id)) continue;
    const finding = await examine(client, agent);
    findings.push(finding);
    await report(finding);
  }
  return findings;
}

async function examine(client: SandboxAgent, agent: AgentInfo): Promise<Finding> {
  const { id, version, path } = agent;
  if (!agent.installed) return { agent: id, state: "not installed", detail: `sandbox-agent install-agent ${id}` };
  if (!version)
    return {
      agent: id,
      state: "broken",
      detail: `cannot get the version of ${path}; check that it is the right program`,
    };
  const trial = await tryAgent(client, id);
  if ("failure" in trial) return { agent: id, state: "broken", detail: trial.failure };
  const detail = `${version}, started in ${Math.round(trial.startMs)} ms`;
  if (agent.credentialsAvailable) return { agent: id, state: "ready", detail };
  return { agent: id, state: "no credentials", detail: `${detail}; set its API key, or log in with the agent` };
}

/** Opens a session and waits whether the agent exits. No model request is made. */
async function tryAgent(client: SandboxAgent, agent: string): Promise<{ startMs: number } | { failure: string }> {
  const session = `doctor-${agent}-${crypto.randomUUID().slice(0, 8)}`;
  const started = performance.now();
  try {
    await client.createSession(session, { agent });
    const startMs = performance.now() - started;
    const { reached } = await client.waitForSession(session, { until: "ended", timeout_ms: settleMs });
    if (reached === null) return { startMs };
    const { events } = await client.getEvents(session);
    const end = events.find(({ type }) => type === "session.ended");
    const reason = end?.type === "session.ended" ? (end.data.message ?? end.data.reason) : null;
    return { failure: reason ?? "it exited at once" };
  } catch (error) {
    if (!(error instanceof SandboxAgentError) || error.problem === null) throw error;
    return { failure: error.problem.detail ?? error.message };
  } finally {
    await client.deleteSession(session).catch(() => {});
  }
}

function describe({ agent, state, detail }: Finding): string {
  const style = styleFor(process.stdout);
  const paint = { ready: style.green, "no credentials": style.yellow, "not installed": style.dim, broken: style.red }[
    state
  ];
  return `${agent.padEnd(18)} ${paint(state.padEnd(14))} ${detail}`;
}

const help = `
The exit code is 1 when an installed agent cannot be started.

Examples:
  $ sandbox-agent doctor
  $ sandbox-agent doctor claude codex --json`;
