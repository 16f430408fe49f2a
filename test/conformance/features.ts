/** The feature checklist of the README: each feature stands for some scenarios, and has a tick where all of them pass. */
import type { Marks } from "./matrix.ts";

const features: Record<string, readonly string[]> = {
  "Streamed text": ["text", "streaming"],
  "Context over several turns": ["several turns", "context over two turns"],
  Reasoning: ["reasoning"],
  "Token usage": ["usage"],
  Images: ["image"],
  "Tool calls and results": ["tool call and result"],
  "Commands with their output": ["command execution"],
  "File edits as diffs": ["file edit with diff"],
  "Todo list": ["todo list"],
  Subagents: ["subagent"],
  "MCP servers": ["MCP tool"],
  Skills: ["skill"],
  Permissions: ["permission once", "permission always", "permission rejected"],
  Questions: ["question answered", "question rejected", "question, several choices"],
  "Plan approval": ["plan approved", "plan rejected"],
  Abort: ["abort while streaming", "abort in a tool", "abort while waiting for a permission"],
  "Message queue": ["queue"],
  "Steer the running turn": ["steer"],
  "Switch models": ["model switch"],
  "Provider errors": ["wrong key", "provider error 500", "provider error 529", "dropped connection"],
  "Continue after a crash of the agent": ["agent killed"],
  "Continue after a crash of the daemon": ["kill -9 of the daemon in a turn", "context after kill -9 of the daemon"],
};

/** Agents as the README names them. */
const columns: Record<string, string> = {
  claude: "Claude",
  codex: "Codex",
  opencode: "OpenCode",
  pi: "Pi",
  amp: "Amp",
  gemini: "Gemini",
  "github-copilot-cli": "Copilot",
  "qwen-code": "Qwen",
  mock: "mock",
};

export function renderFeatures(marks: Marks): string {
  const agents = Object.keys(columns);
  const rows = Object.entries(features).map(
    ([feature, scenarios]) =>
      `| ${feature} | ${agents.map((agent) => tick(marks.get(agent), scenarios)).join(" | ")} |`,
  );
  return [`| | ${Object.values(columns).join(" | ")} |`, `|---|${agents.map(() => ":-:|").join("")}`, ...rows].join(
    "\n",
  );
}

/** ✓ all scenarios pass, ~ some, – none. */
function tick(passed: ReadonlyMap<string, string> | undefined, scenarios: readonly string[]): string {
  const count = scenarios.filter((scenario) => passed?.get(scenario) === "✓").length;
  if (count === scenarios.length) return "✓";
  return count > 0 ? "~" : "–";
}

/** Every scenario that a feature stands for; a test holds it against those that there are. */
export const featuredScenarios: readonly string[] = Object.values(features).flat();
