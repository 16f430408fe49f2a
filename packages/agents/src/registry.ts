/** All agents, by id. Adding an agent is one folder and one line here. */
import { describe } from "./acp/description.ts";
import { type Agent, sharedSkillFolder } from "./agent.ts";
import { amp } from "./amp/description.ts";
import { claude, skillFolder as claudeSkillFolder } from "./claude/description.ts";
import { codex } from "./codex/description.ts";
import { cursorProfile } from "./cursor/profile.ts";
import type { AgentEnvironment } from "./environment.ts";
import { lazyAgent } from "./lazy-agent.ts";
import { mockAgent } from "./mock/mock.ts";
import { skillFolder as openCodeSkillFolder, opencode } from "./opencode/description.ts";
import { pi } from "./pi/description.ts";

export type AgentRegistry = ReadonlyMap<string, Agent>;

/** Where agents look for skills in a working directory, whichever of them works there. */
export const skillFolders = [sharedSkillFolder, claudeSkillFolder, openCodeSkillFolder];

export function agentRegistry(environment: AgentEnvironment): AgentRegistry {
  const agents: Agent[] = [
    lazyAgent(claude, async () => (await import("./claude/agent.ts")).createClaudeAgent(environment)),
    lazyAgent(codex, async () => (await import("./codex/agent.ts")).createCodexAgent(environment)),
    lazyAgent(opencode, async () => (await import("./opencode/agent.ts")).createOpenCodeAgent(environment)),
    lazyAgent(pi, async () => (await import("./pi/agent.ts")).createPiAgent(environment)),
    lazyAgent(describe(cursorProfile), async () =>
      (await import("./acp/agent.ts")).createAcpAgent(cursorProfile, environment),
    ),
    lazyAgent(amp, async () => (await import("./amp/agent.ts")).createAmpAgent(environment)),
    mockAgent,
  ];
  return new Map(agents.map((agent) => [agent.id, agent]));
}
