/** All agents, by id. Adding an agent is one folder and one line here. */
import type { Agent } from "./agent.ts";
import type { AgentEnvironment } from "./environment.ts";
import { mockAgent } from "./mock/mock.ts";

export type AgentRegistry = ReadonlyMap<string, Agent>;

export function agentRegistry(_environment: AgentEnvironment): AgentRegistry {
  return new Map([mockAgent].map((agent) => [agent.id, agent]));
}
