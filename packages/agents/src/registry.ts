/** All agents, by id. Adding an agent is one folder and one line here. */
import type { Agent } from "./agent.ts";
import { createAmpAgent } from "./amp/agent.ts";
import { createClaudeAgent } from "./claude/agent.ts";
import { createCodexAgent } from "./codex/agent.ts";
import type { AgentEnvironment } from "./environment.ts";
import { mockAgent } from "./mock/mock.ts";
import { createOpenCodeAgent } from "./opencode/agent.ts";

export type AgentRegistry = ReadonlyMap<string, Agent>;

export function agentRegistry(environment: AgentEnvironment): AgentRegistry {
  const agents: Agent[] = [
    createClaudeAgent(environment),
    createCodexAgent(environment),
    createOpenCodeAgent(environment),
    createAmpAgent(environment),
    mockAgent,
  ];
  return new Map(agents.map((agent) => [agent.id, agent]));
}
