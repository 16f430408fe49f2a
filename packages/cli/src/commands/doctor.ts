/** `doctor`: starts every installed agent for real and says what is missing. */
import type { AgentInfo } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { type Methods, SandboxAgentError } from "sandbox-agent";
import { styleFor } from "../conversation/style.ts";
import { withDaemon } from "../daemon/reach.ts";
import { Failure } from "../failure.ts";
import { print, printValue } from "../print.ts";

interface Finding {
  agent: string;
  state: "ready" | "no credentials" | "not installed" | "broken";
  /** What was found, and what to do about it. */
  detail: string;
}

export function addDoctor(program: Command): void {
  const command = program
    .command("doctor [agents...]")
    .description("Start every installed agent and say what is missing")
    .option("--json", "print JSON");
  command.addHelpText("after", help).action((wanted: string[], { json }: { json?: true }) =>
    withDaemon(command, async (api) => {
      const findings = await examineAll(api, wanted, async (finding) => {
        if (!json) await print(describe(finding));
      });
      if (json) await printValue(findings);
      const broken = findings.filter(({ state }) => state === "broken").map(({ agent }) => agent);
      if (broken.length > 0) throw new Failure(`broken: ${broken.join(", ")}`);
    }),
  );
}

/** One after the other: agents are large, and several starting at once would look slower than they are. */
async function examineAll(
  api: Methods,
  wanted: string[],
  report: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const { agents } = await api.listAgents();
  const unknown = wanted.filter((id) => !agents.some((agent) => agent.id === id));
  if (unknown.length > 0)
    throw new Failure(`no agent is called ${unknown.join(", ")}; see \`sandbox-agent agents list\``);
  const findings: Finding[] = [];
  for (const agent of agents) {
    if (wanted.length > 0 && !wanted.includes(agent.id)) continue;
    const finding = await examine(api, agent);
    findings.push(finding);
    await report(finding);
  }
  return findings;
}

async function examine(api: Methods, agent: AgentInfo): Promise<Finding> {
  if (!agent.installed) {
    const detail = `sandbox-agent install-agent ${agent.id}`;
    return { agent: agent.id, state: "not installed", detail };
  }
  const session = `doctor-${agent.id}-${crypto.randomUUID().slice(0, 8)}`;
  const started = performance.now();
  try {
    await api.createSession(session, { agent: agent.id });
    const milliseconds = Math.round(performance.now() - started);
    const what = [agent.version, agent.path].filter(Boolean).join(", ");
    const detail = `started in ${milliseconds} ms${what && ` (${what})`}`;
    if (agent.credentialsAvailable) return { agent: agent.id, state: "ready", detail };
    return {
      agent: agent.id,
      state: "no credentials",
      detail: `${detail}; set its key or log in with the agent itself`,
    };
  } catch (error) {
    if (!(error instanceof SandboxAgentError) || error.problem === null) throw error;
    return { agent: agent.id, state: "broken", detail: error.problem.detail ?? error.message };
  } finally {
    await api.deleteSession(session).catch(() => {});
  }
}

function describe({ agent, state, detail }: Finding): string {
  const style = styleFor(process.stdout);
  const paint = { ready: style.green, "no credentials": style.yellow, "not installed": style.dim, broken: style.red }[
    state
  ];
  return `${agent.padEnd(16)} ${paint(state.padEnd(14))} ${detail}`;
}

const help = `
The exit code is 1 when an installed agent cannot be started.

Examples:
  $ sandbox-agent doctor
  $ sandbox-agent doctor claude codex --json`;
