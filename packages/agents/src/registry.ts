/** All agents, by id. Adding an agent is one folder and one line here. */
import { createAcpAgent } from "./acp/agent.ts";
import { type Agent, sharedSkillFolder } from "./agent.ts";
import { createAmpAgent } from "./amp/agent.ts";
import { skillFolder as claudeSkillFolder, createClaudeAgent } from "./claude/agent.ts";
import { createCodexAgent } from "./codex/agent.ts";
import { cursorProfile } from "./cursor/profile.ts";
import type { AgentEnvironment } from "./environment.ts";
import { mockAgent } from "./mock/mock.ts";
import { createOpenCodeAgent, skillFolder as openCodeSkillFolder } from "./opencode/agent.ts";
import { createPiAgent } from "./pi/agent.ts";

export type AgentRegistry = ReadonlyMap<string, Agent>;

/** Where agents look for skills in a working directory, whichever of them works there. */
export const skillFolders = [sharedSkillFolder, claudeSkillFolder, openCodeSkillFolder];

export function agentRegistry(environment: AgentEnvironment): AgentRegistry {
  const agents: Agent[] = [
    createClaudeAgent(environment),
    createCodexAgent(environment),
    createOpenCodeAgent(environment),
    createPiAgent(environment),
    createAcpAgent(cursorProfile, environment),
    createAmpAgent(environment),
    mockAgent,
  ];
  return new Map(agents.map((agent) => [agent.id, agent]));
}
